import { expect, test } from 'vitest';
import type { BookmarkSignal, LineSignal } from '../signals/signal.ts';
import { holderOf, seconds } from '../testing/story.ts';
import { Interpreter } from './interpreter.ts';
import { prefixName } from './names.ts';

const [A, B] = [holderOf('A'), holderOf('B')];

function read(at: number, waiters: readonly string[]): BookmarkSignal {
  const timeouts = waiters.flatMap((waiter, n) => [waiter, String(1_900_000_000_000 + n)]);
  return {
    kind: 'bookmark',
    at: seconds(at),
    reads: [
      {
        ...{ db: 0, name: 'jobs', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null },
        companions: { queue: [...waiters], timeouts },
      },
    ],
  };
}

test('[F11] a queue found for the first time is told; one that every script was seen of is drift where it differs', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const types = (step: Parameters<Interpreter['interpret']>[0]) => interpreter.interpret(step).map(({ type }) => type);
  expect(types(read(0, [A]))).toEqual(['waiter.queued']);
  expect(types(read(1, [A]))).toEqual([]);
  expect(interpreter.interpret(read(2, [B, A]))).toMatchObject([
    { type: 'drift.healed', cause: 'unexplained', expected: { queue: [A] }, found: { queue: [B, A] } },
    { type: 'waiter.queued', holder: B, position: 1, certainty: 'inferred' },
    { type: 'waiter.queued', holder: A, position: 2, certainty: 'inferred' },
  ]);
  expect(types(read(3, [B, A]))).toEqual([]);
});

test('[F11] what somebody else took from the queue by a command of its own is no drift', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  interpreter.interpret(read(0, [A]));
  const words = ['DEL', prefixName('redisson_lock_queue', 'jobs')];
  const head: LineSignal = { kind: 'line', at: seconds(1), db: 0, client: 'ops', words };
  interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
  expect(interpreter.interpret(read(2, [])).filter(({ type }) => type === 'drift.healed')).toEqual([]);
});

test('[F11] without commands a queue changes unseen: that is no drift', () => {
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  interpreter.interpret(read(0, [A]));
  expect(interpreter.interpret(read(1, [B])).map(({ type }) => type)).toEqual(['waiter.dequeued', 'waiter.queued']);
});
