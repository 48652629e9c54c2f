import { expect, test } from 'vitest';
import { verdictAt } from '../../testing/goldens/report-from-events.ts';
import { command, eventsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';

const [WEB, JOBS] = ['10.0.0.1:1', '10.0.0.2:1'];
const [ONE, OTHER] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];

/** What happens to lock:leader after it was seen free: its first hold, which shows that it is a lock, is left out. */
function leaderEvents(...sent: readonly (readonly [atMs: number, by: string, text: string])[]) {
  const before = [command(WEB, `SET lock:leader ${ONE} NX EX 6`), command(WEB, 'DEL lock:leader')];
  return eventsAt([
    ...before.map((each, n) => ({ sent: each, atMs: n })),
    ...sent.map(([atMs, by, text]) => ({ sent: command(by, text), atMs: atMs + 100 })),
  ]).slice(2);
}
const renewalsOf = (events: ReturnType<typeof leaderEvents>) =>
  events.flatMap((event) => (event.type === 'lease.renewed' ? [event.holder] : []));
const TAKE = `SET lock:leader ${ONE} NX EX 6`;
const EXPIRE = 'EXPIRE lock:leader 6';

test.each([EXPIRE, 'PEXPIRE lock:leader 6000', 'GETEX lock:leader EX 6', 'EXPIRE lock:leader 6 XX'])(
  '[L7] %s on the connection that acquired the lock is a renewal by the holder',
  (text) => {
    const renewed = { type: 'lease.renewed', cause: 'command', holder: ONE, certainty: 'inferred', leaseMs: 6000 };
    const events = leaderEvents([0, WEB, TAKE], [2000, WEB, text], [4000, WEB, text]);
    expect(events).toMatchObject([{ type: 'lock.acquired' }, renewed, renewed]);
  },
);

test('[L7] EXPIRE on another connection, or after another token was refused on this connection, is a renewal by no known holder', () => {
  expect(renewalsOf(leaderEvents([0, WEB, TAKE], [2000, JOBS, EXPIRE]))).toEqual([undefined]);
  const again = TAKE.replace(ONE, OTHER);
  expect(renewalsOf(leaderEvents([0, WEB, TAKE], [1000, WEB, again], [1001, WEB, EXPIRE]))).toEqual([undefined]);
  expect(renewalsOf(leaderEvents([0, WEB, TAKE], [1000, WEB, TAKE], [1001, WEB, EXPIRE]))).toEqual([ONE]);
});

test('[L7] if several clients set the same word, EXPIRE names the holder only if the client that acquired last sends it', () => {
  const word = 'SET lock:leader locked NX EX 2';
  const taken = leaderEvents(
    [0, WEB, word],
    [2500, JOBS, word],
    [3000, WEB, EXPIRE],
    [3500, JOBS, 'EXPIRE lock:leader 9'],
  );
  expect(renewalsOf(taken)).toEqual([undefined, 'locked']);
});

test('[T8] a SET of the token is a renewal by the holder; a SET of a word names the holder only on the connection of the holder', () => {
  const again = (by: string, word: string) =>
    leaderEvents([0, WEB, TAKE.replace(ONE, word)], [2000, by, `SET lock:leader ${word} EX 6`]).slice(-1);
  expect(again(WEB, ONE)).toMatchObject([{ type: 'lease.renewed', holder: ONE, certainty: 'observed' }]);
  expect(again(JOBS, ONE)).toMatchObject([{ type: 'lease.renewed', holder: ONE, certainty: 'observed' }]);
  expect(again(WEB, 'locked')).toMatchObject([{ type: 'lease.renewed', holder: 'locked', certainty: 'inferred' }]);
  expect(renewalsOf(again(JOBS, 'locked'))).toEqual([undefined]);
});

test('[L7] 60 renewals of a leader are counted, and a candidate that attempts every 2 s is not a long waiter', () => {
  const beats = Array.from({ length: 60 }, (_, n) => [
    [2000 * (n + 1), WEB, EXPIRE] as const,
    [2000 * (n + 1) + 10, JOBS, TAKE.replace(ONE, OTHER)] as const,
  ]).flat();
  const events = leaderEvents([0, WEB, TAKE], ...beats);
  const lock = events.reduce<LockState | undefined>((before, event) => reduceLock(before, event), undefined);
  expect(lock?.holders).toMatchObject([{ id: ONE, renewals: 60, lastRenewedAt: seconds(120.1) }]);
  expect(lock?.totals.renewals).toBe(60);
  expect(verdictAt('threads-waited-long', events, seconds(120.5))).toEqual([]);
});
