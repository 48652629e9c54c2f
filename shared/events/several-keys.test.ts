import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { LineSignal, PushSignal } from '../signals/signal.ts';
import type { CommandStep } from '../signals/step.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
const [T1, T2, T3] = ['token-1', 'token-2', 'token-3'];
const SHAS = {
  acquire: '3875d208d9e377969d2022550302cc83ad17b584',
  force: 'c10e8119872659b926e8e28002d9b7fccbf15617',
  release: '9eb62214c9af87ae5f9a9f12bb4520281c0d2ae1',
  renew: '852ba6ec6104340ced36643283c856d4698569e4',
};
const LEASE = 5000;

/** A Redis with clients of rueidislock, and key events. Each call is a script on one key of the lock. */
function watched(prefix = 'rueidislock') {
  const interpreter = new Interpreter({ source: 'redis' });
  let at = 0;
  const run = (by: string, words: string[], inner: string[][], event?: string) => {
    at += 10;
    const line = (client: string | null, lineWords: string[]): LineSignal => {
      return { kind: 'line', at: seconds(at / 1000), db: 0, client, words: lineWords };
    };
    const key = inner[0]?.[1] ?? words[1] ?? '';
    const push = (message: string): PushSignal => {
      return { kind: 'push', at: seconds(at / 1000), channel: `__keyspace@0__:${key}`, message };
    };
    const step: CommandStep = {
      ...{ kind: 'command', head: line(by, words), inner: inner.map((each) => line(null, each)) },
      pushes: event === undefined ? [] : [push(event)],
    };
    return interpreter.interpret(step);
  };
  const end = (ms: number) => String(Math.round(seconds((at + 10 + ms) / 1000) / 1000));
  const called = (sha: string, key: string, token: string, until = end(LEASE)) => [
    'EVALSHA',
    sha,
    '1',
    key,
    token,
    until,
  ];
  const keyOf = (index: number) => `${prefix}:${index}:orders:42`;
  return {
    interpreter,
    attempt(by: string, token: string, index: number, isDone: boolean) {
      const key = keyOf(index);
      const inner = [
        ['SET', key, token, 'NX', 'PXAT', end(LEASE)],
        ['GET', key],
      ];
      return run(by, called(SHAS.acquire, key, token), inner, isDone ? 'set' : undefined);
    },
    force(by: string, token: string, index: number) {
      const key = keyOf(index);
      return run(
        by,
        called(SHAS.force, key, token),
        [
          ['SET', key, token, 'PXAT', end(LEASE)],
          ['GET', key],
        ],
        'set',
      );
    },
    renew(by: string, token: string, index: number, until = end(LEASE)) {
      const key = keyOf(index);
      const inner = [
        ['GET', key],
        ['PEXPIREAT', key, until],
        ['GET', key],
      ];
      return run(by, called(SHAS.renew, key, token, until), inner, 'expire');
    },
    release(by: string, token: string, index: number, isDone = true) {
      const key = keyOf(index);
      const inner = [['GET', key], ...(isDone ? [['DEL', key]] : [])];
      return run(by, called(SHAS.release, key, token), inner, isDone ? 'del' : undefined);
    },
    deletes: (by: string, index: number) => run(by, ['DEL', keyOf(index)], [], 'del'),
  };
}

test('[T14] two keys of three, which are a majority, are one lock, acquired with the second key', () => {
  const { attempt, release } = watched();
  expect(attempt(A, T1, 0, true)).toEqual([]);
  expect(attempt(A, T1, 1, true)).toMatchObject([
    { type: 'lock.acquired', lock: 'rueidislock:1:orders:42', library: 'rueidislock', holder: T1, by: A },
  ]);
  expect(attempt(A, T1, 2, true)).toEqual([]);
  expect(release(A, T1, 2)).toEqual([]);
  expect(release(A, T1, 0)).toEqual([]);
  expect(release(A, T1, 1)).toMatchObject([{ type: 'lock.released', holder: T1, certainty: 'observed' }]);
});

test('[T14] an attempt that fails at the first key is reported as refused', () => {
  const { attempt } = watched();
  for (const index of [0, 1, 2]) attempt(A, T1, index, true);
  expect(attempt(B, T2, 0, false)).toMatchObject([
    { type: 'lock.refused', lock: 'rueidislock:1:orders:42', holder: T2, by: B },
  ]);
});

test('[T14] a client that gets one key and is refused the next has not acquired the lock', () => {
  const { attempt, release, deletes } = watched();
  for (const index of [0, 1, 2]) attempt(A, T1, index, true);
  expect(deletes('ops', 0)).toEqual([]);
  expect(attempt(B, T2, 0, true)).toEqual([]);
  expect(attempt(B, T2, 1, false)).toMatchObject([{ type: 'lock.refused', holder: T2 }]);
  expect(release(B, T2, 0)).toEqual([]);
  expect(release(A, T1, 1)).toMatchObject([{ type: 'lock.released', holder: T1 }]);
});

test('[T14] a round of renewals over all keys is one renewal, and a lease end that stays the same has no event', () => {
  const { attempt, renew } = watched();
  for (const index of [0, 1, 2]) attempt(A, T1, index, true);
  const until = String(Math.round(seconds(9) / 1000));
  const events = [0, 2, 1].flatMap((index) => renew(A, T1, index, until));
  expect(events).toMatchObject([{ type: 'lease.renewed', holder: T1, expiresAt: seconds(9) }]);
  expect([0, 1, 2, 1].flatMap((index) => renew(A, T1, index, until))).toEqual([]);
});

test('[T14] a client that takes the lock by force is its holder, and the former hold is lost', () => {
  const { attempt, force } = watched();
  for (const index of [0, 1, 2]) attempt(A, T1, index, true);
  const events = [0, 1, 2].flatMap((index) => force(B, T3, index));
  expect(events).toMatchObject([
    { type: 'lock.deleted', holder: T1, command: 'SET' },
    { type: 'lock.acquired', holder: T3, by: B },
  ]);
});

test('[T14] keys with other prefixes do not change what is known about a lock with a single key', () => {
  const { interpreter, attempt, renew } = watched('single');
  attempt(A, T1, 0, true);
  interpreter.severalKeys.note('rueidislock:0:a');
  interpreter.severalKeys.note('rueidislock:1:a');
  expect(renew(A, T1, 0)).toMatchObject([{ type: 'lock.acquired', holder: T1 }, { type: 'lease.renewed' }]);
});

test('[T14] a renewal of the first key alone does not prove that the lock has one key, if earlier commands were not seen', () => {
  const { renew } = watched();
  expect([0, 1, 2].flatMap((index) => renew(A, T1, index))).toMatchObject([
    { type: 'lease.renewed', lock: 'rueidislock:1:orders:42', holder: T1 },
  ]);
});

test('[T14] a single key is the lock, from its first renewal or release on', () => {
  const { attempt, renew, release } = watched('single');
  expect(attempt(A, T1, 0, true)).toEqual([]);
  expect(attempt(B, T2, 0, false)).toEqual([]);
  expect(renew(A, T1, 0)).toMatchObject([
    { type: 'lock.acquired', lock: 'single:0:orders:42', holder: T1, by: A, certainty: 'inferred' },
    { type: 'lock.refused', holder: T2, by: B },
    { type: 'lease.renewed', holder: T1 },
  ]);
  expect(release(A, T1, 0)).toMatchObject([{ type: 'lock.released', holder: T1 }]);
  expect(attempt(B, T2, 0, true)).toMatchObject([{ type: 'lock.acquired', holder: T2 }]);
});
