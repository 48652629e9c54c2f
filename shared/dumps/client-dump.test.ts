import { expect, test } from 'vitest';
import { dumpStory } from '../../testing/stories/dump-story.ts';
import { holderOf, seconds } from '../../testing/stories/story.ts';
import { type RedisTime, redisTime } from '../base/time.ts';
import { isBefore, listsEveryThread, ownerAwaitedBy, threadSight } from './client-dump.ts';
import { firstOwnFrame } from './frames.ts';
import { suggestedClient } from './suggest-client.ts';

const only = (story: Parameters<typeof dumpStory>[0]) => {
  const [dump] = dumpStory(story).values();
  if (!dump) throw new Error('no dump');
  return dump;
};
const TAKEN = seconds(60);
const DUMP = only({ threads: { 1: 'at work', 7: 'in lock', 8: 'in lock' }, takenAt: TAKEN });
const uuid = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const waiting = (n: number, ...threads: number[]) => ({
  client: uuid(n),
  waits: threads.map((thread) => ({ holder: `${uuid(n)}:${thread}`, since: seconds(0) })),
});

test('a holder is a thread of the dump, or is missing, or has an id that no Java thread can have', () => {
  const sightOf = (holder: string) => threadSight(DUMP, holder).found;
  expect(sightOf(holderOf('A7'))).toBe('thread');
  expect(sightOf(holderOf('A9'))).toBe('missing');
  expect([holderOf('A9000000000'), `${uuid(1)}:-3`, 'a-token'].map(sightOf)).toEqual(['no-id', 'no-id', 'no-id']);
});

test('a thread is not reported as missing if the dump may lack virtual threads or its end, or has no known version', () => {
  const threads = { 1: 'at work' };
  const sights = [{ java: '21.0.4+7' }, { isWhole: false }, { java: 'unknown' }].map(
    (change) => threadSight(only({ threads, takenAt: TAKEN, ...change }), holderOf('A9')).found,
  );
  expect(sights).toEqual(['unlisted', 'unlisted', 'unlisted']);
});

test('a wait inside the JVM with a time limit may have ended, so it has no awaited owner', () => {
  const waitsFor = { id: '0x1', className: null, kind: 'lock', ownerId: 9 } as const;
  const thread = { javaId: 1, name: 'a', isVirtual: false, stack: [], framesBeyond: 0, waitsFor };
  expect(ownerAwaitedBy({ ...thread, state: 'WAITING' })).toBe(9);
  expect(ownerAwaitedBy({ ...thread, state: 'TIMED_WAITING' })).toBeNull();
});

test('a whole dump lists every thread if its Java has no virtual threads, or is 21 or newer and the dump lists them', () => {
  const { dump } = DUMP;
  const whole = { ...dump, isWhole: true, listsVirtual: true };
  expect([17, 20, 21, null].map((javaVersion) => listsEveryThread({ ...whole, javaVersion }))).toEqual([
    ...[true, false, true, false],
  ]);
});

test('an instant less than ten seconds before a dump does not count as before it, because two clocks may differ', () => {
  const at = (s: number): RedisTime => redisTime(seconds(s));
  expect([at(49), at(51), null, undefined].map((since) => isBefore(since, TAKEN))).toEqual([true, false, false, false]);
  expect(isBefore(at(0), null)).toBe(false);
});

const suggestionFor = (clients: Parameters<typeof suggestedClient>[1], change: object = {}) =>
  suggestedClient({ ...DUMP, waiting: 2, ...change }, clients);

test('the only client whose waiters are all inside Redisson in the dump is suggested', () => {
  expect(suggestionFor([waiting(1, 7), waiting(2, 9), waiting(3)])).toEqual({ client: uuid(1), waiters: 1 });
  expect(suggestionFor([waiting(1, 7, 8), waiting(2, 7, 9)])).toEqual({ client: uuid(1), waiters: 2 });
});

test('no client is suggested if two fit, if none fits, or if most threads that wait in Redisson belong to no client', () => {
  expect(suggestionFor([waiting(1, 7), waiting(2, 8)])).toBeNull();
  expect(suggestionFor([waiting(1, 1), waiting(2, 9), waiting(3)])).toBeNull();
  expect(suggestionFor([])).toBeNull();
  expect(suggestionFor([waiting(1, 7)], { waiting: 3 })).toBeNull();
});

test('a wait that began after the instant of the dump does not contradict the dump, if that instant is known', () => {
  const both = { client: uuid(1), waits: [...waiting(1, 7).waits, { holder: `${uuid(1)}:9`, since: seconds(70) }] };
  expect(suggestionFor([both])).toEqual({ client: uuid(1), waiters: 1 });
  expect(suggestionFor([both], { takenAt: null })).toBeNull();
});

test('a stack is shown by its first line that does not belong to Java itself', () => {
  const frames = [
    'java.base@17.0.15/java.lang.Object.wait(Native Method)',
    'app//org.redisson.RedissonLock.lock(RedissonLock.java:131)',
  ];
  expect(firstOwnFrame(frames)).toBe(frames[1]);
  expect(firstOwnFrame(frames.slice(0, 1))).toBeNull();
  expect(firstOwnFrame(['com.sun.proxy.$Proxy1.x(Unknown Source)', 'shop.A.b(A.java/x:1)'])).toBe(
    'shop.A.b(A.java/x:1)',
  );
});
