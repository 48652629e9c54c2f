import { describe, expect, test } from 'vitest';
import { eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, story } from '../../testing/stories/story.ts';

describe('holding', () => {
  test('[H1] [H2] [H3] [H4] hold counts go up and down, and the last release publishes a message', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      0.100  A attempts reentered
      0.200  A releases partly
      0.300  A releases
    `);
    expect(reported(events)).toEqual([
      'lock.acquired A ×1',
      'lock.reentered A ×2',
      'lock.partially-released A ×1',
      'lock.released A ×0',
      'wakeup.published',
    ]);
    expect(events[4]?.because).toEqual([events[3]?.seq]);
  });

  test('[H5] a force-unlock names the holder that lost the lock, whose later unlock is refused', () => {
    const forced = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B force-unlocks
      2.000  A unlock refused
    `);
    expect(reported(forced)).toEqual([
      'lock.acquired A ×1',
      'lock.force-released A',
      'wakeup.published',
      'unlock.refused A no-lock',
    ]);
  });

  test('[H5] [S2] a force-unlock that found nothing shows that an expected hold is gone: drift is reported, not a release', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B force-unlocks nothing
      2.000  B attempts acquired
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'drift.healed', 'lock.acquired B ×1']);
    expect(events[1]).toMatchObject({ expected: { holders: [{ holder: holderOf('A') }] }, found: null });
  });

  test.each([
    ['DEL orders:42', 'lock.deleted A'],
    ['UNLINK other orders:42', 'lock.deleted A'],
    ['FLUSHDB', 'db.flushed A'],
    ['FLUSHALL ASYNC', 'db.flushed A'],
    ['SET orders:42 x', 'lock.deleted A'],
    ['RENAME other orders:42', 'lock.deleted A'],
    [`HDEL orders:42 ${holderOf('A')}`, 'lock.deleted A'],
    ['PEXPIRE orders:42 -1', 'lock.deleted A'],
  ])('[H6] %s by another client ends the hold', (command, event) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
      2.000  ops command DEL orders:42
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', event]);
    expect(events[1]?.by).toBe('10.0.0.1:ops');
  });

  test('[H6] DELEX without a condition deletes a lock at once, with a condition it is an error at a hash', () => {
    const after = (command: string) =>
      reported(story(`orders:42 lease 6s\n0 A attempts acquired\n1 ops command ${command}`));
    expect(after('DELEX orders:42')).toEqual(['lock.acquired A ×1', 'lock.deleted A']);
    expect(after('DELEX orders:42 IFEQ 1')).toEqual(['lock.acquired A ×1']);
  });

  test.each(['SET orders:42 x NX', `HDEL orders:42 ${holderOf('B')}`, 'RESTORE orders:42 0 x'])(
    '[H6] %s changes nothing for the holder of the lock',
    (command) => {
      const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
    `);
      expect(reported(events)).toEqual(['lock.acquired A ×1']);
    },
  );

  test('[H6] a command on another key is ignored', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command DEL orders:43
    `),
      ),
    ).toEqual(['lock.acquired A ×1']);
  });

  test('[H6] an eviction is not an expiry', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - hears evicted
      2.000  A renewal refused
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lock.evicted A', 'renewal.refused A no-lock']);
  });

  test('[H7] an attempt cut off by an error is reported as refused with an error, without a TTL', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts cut-off
    `),
      ),
    ).toEqual(['lock.refused A error']);
  });

  test.each([
    ['re-enters', 'attempts reentered', 'lock.reentered B'],
    ['releases partially', 'releases partly', 'lock.partially-released B'],
    ['renews', 'renews', 'lease.renewed B'],
  ])('[H8] if a thread %s while another thread is known as the holder, drift is reported first', (_, verb, event) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B ${verb}
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'drift.healed', event]);
  });

  test('[H8] an acquisition before the lease of the known holder ends is drift, not a second holder', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts acquired
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'drift.healed', 'lock.acquired B ×1']);
  });
});

test('[H4] [V3] the cause of a message is the release, not the end of another kind’s hold in the same key', () => {
  const [A, B] = [holderOf('A'), holderOf('B')];
  const channel = 'redisson_lock__channel:{a}';
  const events = eventsFromScripts([
    script('a', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000'),
    script('b', 'a {a}:x', `30000 ${B} ${B}:write`, 'hget a mode', `hincrby a ${B} 1`, 'pexpire a 30000'),
    script('a', `a ${channel}`, `0 30000 ${A}`, `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${channel} 0`),
  ]);
  const released = events.find(({ type }) => type === 'lock.released');
  expect(events.slice(-3).map(({ type }) => type)).toEqual(['lock.released', 'lock.deleted', 'wakeup.published']);
  expect(events.at(-1)?.because).toEqual([released?.seq]);
});
