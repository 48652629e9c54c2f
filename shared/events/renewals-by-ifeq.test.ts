import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, reported, T1, T2 } from '../../testing/stories/token-story.ts';

/* Renewals by `SET … IFEQ` on a server without key events. MONITOR also shows them on servers that reject them. */

const KEY = 'orders:42';
const [A = '', B = ''] = [T1, T2];
/** The script by which Spring Integration acquires. */
const ACQUIRES = '6d2bc6d16248df19e144841297222544e3c7800a';

/** The commands of Spring Integration 7.1 on one lock, and reads of its key. */
function makeStory(hasIfEqual?: true) {
  const story = makeTokenStory();
  const known = hasIfEqual && { hasIfEqual };
  story.step({ kind: 'watch', at: seconds(-10), level: 'monitor', isPushFirst: false, ...known });
  const { run, script, read } = story;
  const ended = (at: number) => story.step({ kind: 'time', at: seconds(at) });
  return {
    ...story,
    ended,
    acquire: (at: number, token = A, ms = 5000, by = 'a') =>
      script(
        at,
        by,
        [KEY],
        [token, String(ms)],
        [
          ['GET', KEY],
          ['SET', KEY, token, 'PX', String(ms)],
        ],
        ACQUIRES,
      ),
    renew: (at: number, ms: number | 'for ever' = 9000, token = A) =>
      run(at, 'a', ['SET', KEY, token, ...(ms === 'for ever' ? [] : ['PX', String(ms)]), 'IFEQ', token]),
    attempt: (at: number, token = B) => run(at, 'b', ['SET', KEY, token, 'NX', 'PX', '5000']),
    refusedScript: (at: number) => script(at, 'b', [KEY], [B, '5000'], [['GET', KEY]], ACQUIRES),
    release: (at: number) => run(at, 'a', ['DELEX', KEY, 'IFEQ', A]),
    releaseByScript: (at: number) =>
      script(
        at,
        'a',
        [KEY],
        [A, 'channel'],
        [
          ['GET', KEY],
          ['UNLINK', KEY],
          ['PUBLISH', 'channel', KEY],
        ],
      ),
    find: (at: number, token: string | undefined, endsAt: number) => read(at, KEY, token, (endsAt - at) * 1000),
  };
}

/** The events, without the message of the release. */
const eventsOfLock = (events: Parameters<typeof reported>[0]) =>
  reported(events.filter(({ type }) => type !== 'wakeup.published'));

const renewalsIn = (events: readonly { type: string; certainty: string; at: number }[]) =>
  events.filter(({ type }) => type === 'lease.renewed').map(({ at }) => at / 1e6 - seconds(0) / 1e6);

test('[T2] on a server that has IFEQ, a renewal is reported at once, also if a script then releases the lock', () => {
  const { acquire, renew, releaseByScript } = makeStory(true);
  acquire(0);
  expect(reported(renew(0.01))).toEqual(['lease.renewed inferred']);
  expect(eventsOfLock(releaseByScript(0.02))).toEqual(['lock.released observed']);
});

test('[T2] if it is not known whether the server has IFEQ, a release by a script proves no renewal', () => {
  const { acquire, renew, releaseByScript } = makeStory();
  acquire(0);
  expect(renew(0.01)).toEqual([]);
  expect(eventsOfLock(releaseByScript(0.02))).toEqual(['lock.released observed']);
});

test('[T2] a script that finds the token after the end of its lease proves the renewals before it', () => {
  const { acquire, renew, releaseByScript } = makeStory();
  acquire(0);
  for (const at of [2, 4]) expect(renew(at)).toEqual([]);
  const released = releaseByScript(8);
  expect(eventsOfLock(released)).toEqual([
    'lease.renewed inferred',
    'lease.renewed inferred',
    'lock.released observed',
  ]);
  expect(renewalsIn(released)).toEqual([2, 4]);
});

test('[T2] DELEX proves every renewal before it that no read has decided', () => {
  const { acquire, renew, release } = makeStory();
  acquire(0);
  for (const at of [1, 2, 3]) expect(renew(at)).toEqual([]);
  const released = release(3.1);
  expect(renewalsIn(released)).toEqual([1, 2, 3]);
  expect(reported(released).at(-1)).toBe('lock.released inferred');
});

test('[T2] a read that finds the new end shows every renewal before it', () => {
  const { acquire, renew, find } = makeStory();
  acquire(0);
  for (const at of [1, 2]) expect(renew(at)).toEqual([]);
  expect(renewalsIn(find(2.01, A, 11))).toEqual([1, 2]);
});

test('[T2] a read shows no renewal if the lease would end at the same time without it', () => {
  const { acquire, renew, find, releaseByScript } = makeStory();
  acquire(0);
  expect(renew(0.05, 5000)).toEqual([]);
  expect(find(0.06, A, 5)).toEqual([]); // a server without IFEQ
  expect(renew(1)).toEqual([]);
  expect(find(1.01, A, 5)).toEqual([]);
  expect(eventsOfLock(releaseByScript(1.02))).toEqual(['lock.released observed']);
});

test('[T2] DELEX shows a renewal that the read before it did not show', () => {
  const { acquire, renew, find, release } = makeStory();
  acquire(0);
  renew(0.05, 5000);
  find(0.06, A, 5);
  expect(reported(release(0.07))).toEqual(['lease.renewed inferred', 'lock.released inferred']);
});

test('[T2] SET with IFEQ and KEEPTTL renews nothing, and does not show whether the server has IFEQ', () => {
  const { acquire, run, find, renew, releaseByScript } = makeStory();
  acquire(0);
  expect(run(1, 'a', ['SET', KEY, A, 'IFEQ', A, 'KEEPTTL'])).toEqual([]);
  expect(find(1.01, A, 5)).toEqual([]);
  expect(renew(2)).toEqual([]);
  expect(eventsOfLock(releaseByScript(2.01))).toEqual(['lock.released observed']);
});

test('[T2] a renewal that removes the end of the lease is shown by the read after it', () => {
  const { acquire, renew, read } = makeStory();
  acquire(0);
  expect(renew(1, 'for ever')).toEqual([]);
  const found = read(1.01, KEY, A, -1);
  expect(reported(found)).toContain('lease.renewed inferred');
  expect(found).not.toContainEqual(expect.objectContaining({ type: 'drift.healed' }));
});

test('[T2] while it is not decided whether a renewal had an effect, the old end of the lease does not end the hold', () => {
  const { acquire, renew, attempt, find, ended } = makeStory();
  acquire(0);
  expect(renew(4)).toEqual([]);
  expect(ended(7)).toEqual([]);
  expect(attempt(7.1)).toEqual([]);
  const found = find(7.2, A, 13);
  expect(reported(found)).toEqual(['lease.renewed inferred', 'lock.refused inferred']);
  expect(found).toMatchObject([{ holder: A }, { holder: B, at: seconds(7.1) }]);
});

test('[T2] if a read finds another holder after an undecided renewal, the lease had ended, and the renewal failed', () => {
  const { acquire, renew, attempt, find } = makeStory();
  acquire(0);
  renew(4);
  attempt(7.1);
  expect(reported(find(7.2, B, 12.1))).toEqual(['lease.expired inferred', 'lock.acquired inferred']);
});

test('[T2] a renewal that no read ever decides holds the lock 10 s longer at most', () => {
  const { acquire, renew, ended } = makeStory();
  acquire(0);
  renew(4);
  expect(ended(14)).toEqual([]);
  expect(reported(ended(16))).toEqual(['lease.expired inferred']);
});

test('[T2] an attempt between the old end of the lease and DELEX was refused', () => {
  const { acquire, renew, attempt, release } = makeStory();
  acquire(0);
  renew(4);
  expect(attempt(6)).toEqual([]);
  const released = release(7);
  expect(reported(released)).toEqual(['lease.renewed inferred', 'lock.refused inferred', 'lock.released inferred']);
});

test('[T2] an attempt after the end that an undecided renewal set again is decided by the read after DELEX', () => {
  const { acquire, run, attempt, release, find } = makeStory();
  acquire(0);
  run(1, 'a', ['SET', KEY, A, 'PXAT', String(Number(seconds(5)) / 1000), 'IFEQ', A]);
  expect(attempt(6)).toEqual([]);
  expect(reported(release(6.1))).toEqual(['lease.expired inferred', 'unlock.refused inferred']);
  expect(find(6.2, B, 11)).toMatchObject([{ type: 'lock.acquired', holder: B, at: seconds(6) }]);
});

test('[T2] DELEX proves no renewal after the end of the lease', () => {
  const { acquire, renew, release } = makeStory();
  acquire(0);
  expect(renew(5.01)).toEqual([]);
  expect(reported(release(5.02))).toEqual(['lease.expired inferred', 'unlock.refused inferred']);
});

test('[T2] a renewal after a command that may have taken the lock is shown by the read after both commands', () => {
  const { acquire, renew, run, find } = makeStory(true);
  acquire(0);
  run(1, 'c', ['DELEX', KEY, 'IFDEQ', '0123456789abcdef']);
  expect(renew(1.1)).toEqual([]);
  expect(reported(find(1.2, A, 10.1))).toEqual(['lease.renewed inferred']);
});

test('[T2] a renewal by a holder that was not seen before is shown by the read after it', () => {
  const { refusedScript, renew, find } = makeStory(true);
  refusedScript(0);
  expect(renew(0.1)).toEqual([]);
  const found = find(0.2, A, 9.1);
  expect(found).toMatchObject([{ type: 'lease.renewed', holder: A, at: seconds(0.1) }]);
});
