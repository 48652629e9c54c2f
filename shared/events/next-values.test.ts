import { expect, test } from 'vitest';
import { command, eventsAt, eventsFromScripts, type Sent } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory } from '../../testing/stories/token-story.ts';
import { endInValue } from './libraries/end-in-value.ts';

const [A, B, C] = ['10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1'];
/**
 * The value that a client writes: the end of its lease. `afterS`: the end, in seconds from the beginning of the story.
 */
const ends = (afterS: number) => String(Number(seconds(afterS)) / 1_000_000);
const asks = (by: string, afterS: number): Sent => command(by, `SETNX lock.report ${ends(afterS)}`);
const overtakes = (by: string, afterS: number): Sent => command(by, `GETSET lock.report ${ends(afterS)}`);

/** The events of a story, without those of a first hold that shows that the key is a lock. */
const eventsAfter = (sent: Parameters<typeof eventsAt>[0]) => {
  const first = [asks(A, 0.5), command(A, 'DEL lock.report')];
  const all = [...first.map((each, n) => ({ sent: each, atMs: -20 + n * 10 })), ...sent];
  return eventsAt(all).slice(2);
};

test('[T15] a client that acquires an expired lock by GETSET takes it from no client, because the hold before has expired', () => {
  const events = eventsAfter([
    { sent: asks(A, 2), atMs: 0 },
    { sent: asks(B, 3), atMs: 1000 },
    { sent: overtakes(B, 5), atMs: 3100 },
    { sent: command(B, 'DEL lock.report'), atMs: 4000 },
  ]);
  expect(events.map(({ type, certainty }) => `${type} ${certainty}`)).toEqual([
    ...['lock.acquired inferred', 'lock.refused inferred', 'lease.expired inferred', 'lock.acquired inferred'],
    'lock.released inferred',
  ]);
  expect(events[2]).toMatchObject({ holder: ends(2), at: seconds(2) });
  expect(events[3]).toMatchObject({ holder: ends(5), by: B });
});

test('[T15] a client that is too late with its GETSET moves the end of the lock, and takes the lock from no client', () => {
  const events = eventsAfter([
    { sent: asks(A, 2), atMs: 0 },
    { sent: overtakes(B, 7.1), atMs: 3100 },
    { sent: overtakes(C, 7.2), atMs: 3101 },
  ]);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lease.expired', 'lock.acquired']);
});

test('[T15] a lock that SET takes in a transaction has expired if its lease is over, otherwise it was overwritten', () => {
  const sets = (afterS: number) => command(B, `SET lock.report ${ends(afterS)}`);
  const types = (atMs: number) =>
    eventsAfter([
      { sent: asks(A, 2), atMs: 0 },
      { sent: sets(9), atMs },
    ]).map(({ type }) => type);
  expect(types(3100)).toEqual(['lock.acquired', 'lease.expired', 'lock.acquired']);
  expect(types(500)).toEqual(['lock.acquired', 'lock.deleted']);
});

test('[T15] if two clients write the same time as their value, their wait is soon reported as given up', () => {
  const sent = [asks(A, 60), asks(B, 61), asks(C, 61)];
  const later = [{ sent: command(A, 'DEL other'), atMs: 5000 }];
  const events = eventsAfter([...sent.map((each, n) => ({ sent: each, atMs: n })), ...later]);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.refused', 'lock.refused', 'waiter.dequeued']);
  expect(events.at(-1)).toMatchObject({ holder: ends(61), reason: 'gave-up' });
});

test('a value is the end of a lease if it is a time soon after it was set, in seconds or milliseconds', () => {
  const now = seconds(0);
  expect(endInValue(ends(8.5), now)).toBe(seconds(8.5));
  expect(endInValue(String(Number(seconds(8)) / 1000), now)).toBe(seconds(8));
  expect([ends(0), ends(-1), ends(90_000), '42', 'worker-1795941695'].map((value) => endInValue(value, now))).toEqual(
    Array(5).fill(undefined),
  );
});

test('[T9] a key named like a lock, in which clients count, is no longer a lock once SET writes another small number', () => {
  const name = 'import-mutex';
  const set = command(A, `SET ${name} 1 NX PX 60000`);
  const sent = [
    ...[set, command(A, `DEL ${name}`), set],
    ...Array.from({ length: 3 }, () => command(B, `SET ${name} 1 NX PX 60000`)),
    command(A, `SET ${name} 0 PX 60000`),
    ...Array.from({ length: 6 }, () => command(B, `SET ${name} 1 NX PX 60000`)),
    command(B, `SET ${name} 1 PX 60000`),
    command(B, `SET ${name} 0 PX 60000`),
  ];
  const types = eventsFromScripts(sent).map(({ type }) => type);
  expect(types).not.toContain('lock.deleted');
  expect(types.filter((type) => type === 'lock.acquired').length).toBe(2);
});

test.each([
  ['with XX', (value: string) => `SET lock:job ${value} XX EX 30`],
  ['by SET', (value: string) => `SET lock:job ${value} EX 30`],
  ['by SETEX', (value: string) => `SETEX lock:job 30 ${value}`],
])('[T8] the holder renews the lock if it writes a value %s in which only the numbers differ', (_, next) => {
  const ask = (by: string, n: number) => command(by, `SET lock:job worker-${n}-a1b2c3d4 NX EX 30`);
  const beat = (by: string, n: number) => command(by, next(`worker-${n}-a1b2c3d4`));
  const taken = [ask(A, 1), command(A, 'DEL lock:job'), ask(A, 1), ask(B, 2)];
  const types = (...sent: Sent[]) =>
    eventsFromScripts([...taken, ...sent])
      .slice(4)
      .map(({ type }) => type);
  expect(types(beat(A, 3), beat(A, 4), beat(A, 4), command(A, 'DEL lock:job'))).toEqual([
    ...['lease.renewed', 'lease.renewed', 'lease.renewed', 'lock.released'],
  ]);
  expect(types(beat(B, 3))).toContain('lock.deleted');
  expect(types(command(A, next('other-1-a1b2c3d4')))).toContain('lock.deleted');
});

test('[T8] the next value renews a lock that a read found, unless a client that was refused before writes it', () => {
  const { run, read } = makeTokenStory();
  const beat = (at: number, by: string, n: number) =>
    run(at, by, ['SET', 'lock:job', `worker-${n}-a1b2c3d4`, 'XX', 'EX', '30']).map(({ type }) => type);
  const story = (by: string) => {
    run(0, 'b', ['SET', 'lock:job', 'worker-8-a1b2c3d4', 'NX', 'EX', '30']);
    read(0.1, 'lock:job', 'worker-1-a1b2c3d4', 20_000);
    return beat(1, by, 2);
  };
  expect(story('a')).toEqual(['lease.renewed']);
  expect(beat(2, 'b', 9)).toContain('lock.deleted');
});

test('[T15] a value that is a time is not the end of the lock if its lease ends at another time', () => {
  const now = (s: number) => String(Math.floor(Number(seconds(s)) / 1000) + 100); // a clock that is 0.1 s ahead
  const take = (by: string, s: number) => command(by, `SET lock:job ${now(s)} NX EX 10`);
  const events = eventsAt([
    { sent: take(A, 0), atMs: 0 },
    { sent: command(A, 'DEL lock:job'), atMs: 1000 },
    { sent: take(A, 2), atMs: 2000 },
    { sent: command(A, `SETEX lock:job 10 ${now(5)}`), atMs: 5000 },
    { sent: take(B, 11), atMs: 11_000 },
    { sent: command(A, 'DEL lock:job'), atMs: 12_000 },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lock.released', 'lock.acquired', 'lease.renewed', 'lock.refused', 'lock.released'],
  ]);
});
