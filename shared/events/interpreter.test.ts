import { describe, expect, test } from 'vitest';
import { holderOf, seconds, story, told } from '../testing/story.ts';

describe('holding', () => {
  test('[H1] [H2] [H3] [H4] counts go up and down, and the last release tells the channel', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      0.100  A attempts reentered
      0.200  A releases partly
      0.300  A releases
    `);
    expect(told(events)).toEqual([
      'lock.acquired A ×1',
      'lock.reentered A ×2',
      'lock.partially-released A ×1',
      'lock.released A ×0',
      'wakeup.published',
    ]);
    expect(events[4]?.because).toEqual([events[3]?.seq]);
  });

  test('[H5] a force-unlock is told by who lost the lock, one that found nothing is silent', () => {
    const forced = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B force-unlocks
      2.000  A unlock refused
    `);
    expect(told(forced)).toEqual([
      'lock.acquired A ×1',
      'lock.force-released A',
      'wakeup.published',
      'unlock.refused A no-lock',
    ]);
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
  ])('[H6] %s by hand takes the lock away', (command, event) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
      2.000  ops command DEL orders:42
    `);
    expect(told(events)).toEqual(['lock.acquired A ×1', event]);
    expect(events[1]?.by).toBe('10.0.0.1:ops');
  });

  test.each(['SET orders:42 x NX', `HDEL orders:42 ${holderOf('B')}`, 'RESTORE orders:42 0 x'])(
    '[H6] %s changes nothing',
    (command) => {
      const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
    `);
      expect(told(events)).toEqual(['lock.acquired A ×1']);
    },
  );

  test('[H6] a command on another key is nothing to us', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command DEL orders:43
    `),
      ),
    ).toEqual(['lock.acquired A ×1']);
  });

  test('[H6] an eviction is no expiry', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - hears evicted
      2.000  A renewal refused
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lock.evicted A', 'renewal.refused A no-lock']);
  });

  test('[H7] an attempt cut off by an error is refused without a TTL and waits for nothing', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts cut-off
    `),
      ),
    ).toEqual(['lock.refused A error']);
  });

  test('[H8] a grant that finds the key gone before its time is drift, never a second holder', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts acquired
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'drift.healed', 'lock.acquired B ×1']);
  });
});

describe('lease', () => {
  test('[L1] [L2] a refused attempt was told what was left', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      2.000  A renews
      2.500  B attempts refused
    `);
    expect(told(events)).toEqual(['lock.acquired A ×1', 'lease.renewed A', 'lock.refused B told 5500']);
    expect(events[1]).toMatchObject({ leaseMs: 6000, expiresAt: seconds(8) + 2 });
  });

  test('[L3] a lease that nobody heard ending is over before the next grant, at its computed end', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.500  B attempts acquired
    `);
    expect(told(events)).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)', 'lock.acquired B ×1']);
    expect(events[1]?.at).toBe(seconds(6) + 3);
  });

  test('[L3] heard, it is observed, and the grant after it changes nothing', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.050  - hears expired
      6.500  B attempts acquired
      6.600  - hears expired
    `),
      ).slice(0, 3),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A', 'lock.acquired B ×1']);
  });

  test('[L3] stream time alone ends a lease that is long over', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      8.000  ops command PING
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });

  test('[L4] [L5] the frozen holder is refused, and told why', () => {
    expect(
      told(
        story(`
      orders:42 lease 2s
      0.000  A attempts acquired
      2.500  B attempts acquired
      3.000  A renewal refused
      3.100  A unlock refused
      3.200  C unlock refused
    `),
      ).slice(3),
    ).toEqual(['renewal.refused A expired', 'unlock.refused A expired', 'unlock.refused C not-owner']);
  });

  test('[L5] a holder that is refused although it holds met an error, and keeps its hold', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  A unlock refused
      2.000  - snapshot A×1 4000
      3.000  A releases
    `),
      ).slice(1),
    ).toEqual(['unlock.refused A error (inferred)', 'lock.released A ×0', 'wakeup.published']);
  });

  test('[L6] an old version tells success for a lock that is gone', () => {
    const events = story(`
      orders:42 lease 2s
      0.000  A attempts acquired
      2.500  A releases silently
    `);
    expect(told(events).slice(1)).toEqual([
      'lease.expired A (inferred)',
      'unlock.refused A expired',
      'wakeup.published',
    ]);
    expect(events[2]).toMatchObject({ callerSawSuccess: true });
  });

  test.each([
    ['PEXPIRE orders:42 9000', 10],
    ['EXPIRE orders:42 9', 10],
    ['EXPIRE orders:42 9 GT', 10],
    ['EXPIRE orders:42 1 GT', undefined],
    ['EXPIRE orders:42 9 NX', undefined],
    ['EXPIRE orders:42 9 LT', undefined],
  ])('[L7] %s by hand', (command, end) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  ops command ${command}
    `);
    expect(events[1]?.type).toBe(end === undefined ? undefined : 'lease.renewed');
    if (end !== undefined) expect(events[1]).toMatchObject({ cause: 'command', expiresAt: seconds(end) });
  });
});

describe('waiting', () => {
  const ASLEEP = `
    orders:42 lease 6s
    0.000  A attempts acquired
    2.500  B attempts refused
    2.501  B subscribes
    2.502  B attempts refused
  `;

  test('[W3] [W4] woken by message', () => {
    const events = story(`${ASLEEP}
      5.000  A releases
      5.001  B attempts acquired
      5.002  B unsubscribes
    `);
    const acquired = events.find((event) => event.type === 'lock.acquired' && event.holder === holderOf('B'));
    const published = events.find((event) => event.type === 'wakeup.published');
    expect(acquired).toMatchObject({
      wokenBy: 'message',
      because: [published?.seq],
      waitedMs: expect.closeTo(2501, 1),
    });
    expect(events.at(-1)).toMatchObject({ type: 'waiter.unsubscribed', holder: holderOf('B') });
  });

  test('[W4] woken by its own timer', () => {
    const events = story(`${ASLEEP}
      6.010  - hears expired
      6.020  B attempts acquired
    `);
    const expired = events.find((event) => event.type === 'lease.expired');
    expect(events.at(-1)).toMatchObject({ wokenBy: 'own-timer', because: [expired?.seq] });
  });

  test('[W1] who is refused once and goes on ended no sleep', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts refused
      2.000  A releases
      3.000  B attempts acquired
    `);
    expect(events.at(-1)?.because).toBeUndefined();
    expect(events.at(-1)).not.toHaveProperty('wokenBy');
  });

  test('[W5] an attempt that nothing woke is a new wait', () => {
    expect(
      told(
        story(`${ASLEEP}
      3.500  B attempts refused
    `),
      ).slice(-2),
    ).toEqual(['waiter.dequeued B gave-up (inferred)', 'lock.refused B told 2500']);
  });

  test('[W6] a client that stops listening gave up', () => {
    expect(
      told(
        story(`${ASLEEP}
      3.500  B unsubscribes
    `),
      ).slice(-2),
    ).toEqual(['waiter.dequeued B gave-up (inferred)', 'waiter.unsubscribed B']);
  });

  test('[W7] a sleeper that misses its timer is presumed gone, and comes back with its next attempt', () => {
    expect(
      told(
        story(`${ASLEEP}
      4.000  A renews
      9.600  ops command PING
      9.700  B attempts refused
    `),
      ).slice(-2),
    ).toEqual(['waiter.dequeued B presumed-gone (inferred)', 'lock.refused B told 300']);
  });

  test('[W8] a message kept by the client wakes its next sleeper at once', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts refused
      1.001  B subscribes
      1.002  A releases
      1.003  C attempts acquired
      1.004  B attempts refused
      1.005  B attempts refused
    `);
    expect(told(events)).not.toContain('waiter.dequeued B gave-up (inferred)');
    expect(events.at(-1)).toMatchObject({ wokenBy: 'message' });
  });
});

describe('snapshots', () => {
  test('[S1] first sight', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  - snapshot A×2 5000
      1.000  A releases partly
    `),
      ),
    ).toEqual(['lock.found', 'lock.partially-released A ×1']);
  });

  test('[S6] [W3] who listens since before we came is counted, and one who is refused then sleeps', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  - snapshot A×1 5000 1
      1.000  B attempts refused
      2.000  - snapshot A×1 3000 0
    `);
    expect(told(events)).toEqual([
      'lock.found',
      'waiter.subscribed (inferred)',
      'lock.refused B told 4000',
      'waiter.unsubscribed (inferred)',
    ]);
    expect(events[1]).toMatchObject({ subscribers: 1 });
    expect(events[2]).toMatchObject({ attempt: 1, asleep: true });
    expect(events[3]).toMatchObject({ subscribers: 0 });
  });

  test('[S2] a difference is drift, with both sides and its cause', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - snapshot A×2 5000
      1.100  - loses sight
      1.500  - sees again
      1.600  - snapshot B×1 5900
    `);
    expect(told(events)).toEqual([
      'lock.acquired A ×1',
      'drift.healed',
      'blind-spot.began story',
      'blind-spot.ended story',
      'drift.healed',
    ]);
    expect(events[1]).toMatchObject({ cause: 'unexplained', found: { holders: [{ holdCount: 2 }] } });
    expect(events[4]).toMatchObject({ cause: 'blind-spot', expected: { holders: [{ holder: holderOf('A') }] } });
  });

  test('[S2] what agrees is silent', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - snapshot A×1 5000
      7.000  A releases
      8.000  - snapshot nothing
    `),
      ).filter((event) => event.startsWith('drift')),
    ).toEqual([]);
  });

  test('[S3] missing after its end is expired', () => {
    expect(
      told(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.100  - snapshot nothing
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });
});
