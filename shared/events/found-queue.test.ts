import { describe, expect, test } from 'vitest';
import { fairStory } from '../../testing/stories/fair-story.ts';
import { holderOf, seconds } from '../../testing/stories/story.ts';
import type { BookmarkSignal, LineSignal } from '../signals/signal.ts';
import type { CommandStep } from '../signals/step.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import { expectedBeside } from './apply/companion-reads.ts';
import { MOST_READ } from './apply/reads/found-queue.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';
import { clientOf, prefixName, queueKey, timeoutsKey } from './names/names.ts';

function lockFrom(events: readonly LockEvent[], before?: LockState): LockState {
  const lock = events.reduce<LockState | undefined>(reduceLock, before);
  if (!lock) throw new Error('no events');
  return lock;
}

const sizes = ({ waiters, waitersBeyond }: LockState) => [waiters.length, waitersBeyond];

const [A, B] = [holderOf('A'), holderOf('B')];

/** A read of a queue. `length`: its full length, if it is too long to read completely. */
function read(at: number, waiters: readonly string[], length = waiters.length): BookmarkSignal {
  const timeouts = waiters.flatMap((waiter, n) => [waiter, String(1_900_000_000_000 + n)]);
  return {
    kind: 'bookmark',
    at: seconds(at),
    reads: [
      {
        ...{ db: 0, name: 'jobs', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null },
        companions: { queue: [...waiters], timeouts, queueLength: length > 0 ? [String(length)] : [] },
      },
    ],
  };
}

test('[F11] a queue found for the first time is reported; a later unexplained difference is drift', () => {
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

test('[F11] a queue deleted by another client’s command is not drift', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  interpreter.interpret(read(0, [A]));
  const words = ['DEL', prefixName('redisson_lock_queue', 'jobs')];
  const head: LineSignal = { kind: 'line', at: seconds(1), db: 0, client: 'ops', words };
  interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
  expect(interpreter.interpret(read(2, [])).filter(({ type }) => type === 'drift.healed')).toEqual([]);
});

test('[F11] a read without the queue of a fair lock, or without its deadlines, reports no queue and no drift', () => {
  const whole = read(1, [A]);
  const without = (role: 'queue' | 'timeouts') => {
    const [found] = whole.reads;
    return {
      ...whole,
      reads: [{ ...found!, companions: { ...found!.companions, [role]: undefined } }],
    } as BookmarkSignal;
  };
  const interpreter = new Interpreter({ source: 'redis' });
  expect(interpreter.interpret(without('timeouts'))).toEqual([]); // a waiter without a deadline would never be evicted
  interpreter.interpret(whole);
  expect(interpreter.interpret(without('queue'))).toEqual([]);
  expect(interpreter.interpret({ ...whole, at: seconds(2) })).toEqual([]);
});

test('[F11] without commands, a queue that changed between reads is not drift', () => {
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  interpreter.interpret(read(0, [A]));
  expect(interpreter.interpret(read(1, [B])).map(({ type }) => type)).toEqual(['waiter.dequeued', 'waiter.queued']);
});

test('[W3] a waiter that a read found in the queue is known to sleep once it attempts when its timer ends', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const [queue, timeouts] = [queueKey('jobs'), timeoutsKey('jobs')];
  const line = (at: number, client: string | null, ...words: string[]): LineSignal => ({
    ...{ kind: 'line', at: seconds(at), db: 0 },
    ...{ client, words },
  });
  const attempt = (at: number): CommandStep => ({
    kind: 'command',
    head: line(at, '127.0.0.1:50000', 'EVAL', '…', '3', 'jobs', queue, timeouts, '30000', A, '300000', `${at * 1000}`),
    inner: [
      line(at, null, 'lindex', queue, '0'),
      line(at, null, 'zscore', timeouts, A),
      line(at, null, 'exists', 'jobs'),
      line(at, null, 'hexists', 'jobs', A),
      line(at, null, 'zscore', timeouts, A),
      line(at, null, 'pttl', 'jobs'),
    ],
    pushes: [],
  });
  const held = (at: number): BookmarkSignal => {
    const bookmark = read(at, [A]);
    const reads = bookmark.reads.map((each) => ({ ...each, type: 'hash', fields: { [B]: '1' }, pttl: 25_000 }));
    return { ...bookmark, reads };
  };
  const events = interpreter.interpret(held(0));
  const stateAfter = (...steps: (CommandStep | BookmarkSignal)[]) => {
    events.push(...steps.flatMap((step) => interpreter.interpret(step)));
    return lockFrom(events).waiters;
  };
  expect(stateAfter(attempt(5))).toMatchObject([{ id: A, attempts: 1, isAsleep: false, isOlder: true }]);
  expect(stateAfter(attempt(6))).toMatchObject([{ id: A, attempts: 2, isAsleep: false }]); // too early
  expect(stateAfter(held(15), attempt(25.01))).toMatchObject([{ id: A, isAsleep: true }]);
});

describe('a queue too long to read completely', () => {
  const LENGTH = 4000;
  const holder = (n: number) => `${clientOf(A)}:${n}`;
  const first = (from: number) => Array.from({ length: MOST_READ }, (_, n) => holder(from + n));
  const [queue, timeouts] = [queueKey('jobs'), timeoutsKey('jobs')];
  const script = (at: number, call: string[], ...lines: string[][]): CommandStep => {
    const line = (words: string[], client: string | null): LineSignal => ({
      ...{ kind: 'line', at: seconds(at), db: 0 },
      ...{ client, words },
    });
    const head = line(['EVAL', '…', ...call], '127.0.0.1:50000');
    return { kind: 'command', head, inner: lines.map((words) => line(words, null)), pushes: [] };
  };
  const enqueue = (at: number, who: string) =>
    script(
      at,
      ['3', 'jobs', queue, timeouts, '30000', who, '300000', String(seconds(at) / 1000)],
      ['lindex', queue, '0'],
      ['zscore', timeouts, holder(1)],
      ['exists', 'jobs'],
      ['hexists', 'jobs', who],
      ['zscore', timeouts, who],
      ['lindex', queue, '-1'],
      ['pttl', 'jobs'],
      ['zadd', timeouts, '1900000300000', who],
      ['rpush', queue, who],
    );
  const dequeue = (at: number, who: string) =>
    script(at, ['2', queue, timeouts, who, '300000'], ['zrem', timeouts, who], ['lrem', queue, '0', who]);

  function attached(hasCommands = true) {
    const interpreter = new Interpreter({ source: 'redis', hasCommands });
    return { interpreter, events: interpreter.interpret(read(0, first(1), LENGTH)) };
  }

  test('[F13] the first waiters and the length of a queue too long to read are reported', () => {
    const { events } = attached();
    expect(events).toHaveLength(MOST_READ);
    expect(events.at(-1)).toMatchObject({ holder: holder(MOST_READ), position: MOST_READ, queueLength: LENGTH });
    expect(events.filter((event) => 'queueLength' in event)).toHaveLength(1);
    expect(lockFrom(events)).toMatchObject({ waitersBeyond: LENGTH - MOST_READ });
  });

  test('[F13] a new waiter joins a long queue at its end, and a waiter that leaves, known or not, shortens it by one', () => {
    const { interpreter, events } = attached();
    const lock = lockFrom(events);
    const newcomer = holder(9999);
    const joining = interpreter.interpret(enqueue(1, newcomer));
    expect(joining.at(-1)).toMatchObject({ type: 'waiter.queued', holder: newcomer, position: LENGTH + 1 });
    const left = [holder(1), holder(3000)].flatMap((who, n) => interpreter.interpret(dequeue(2 + n, who)));
    expect(interpreter.keys.find(0, 'jobs')?.mirrors?.queue?.length).toBe(LENGTH - 1);
    const after = lockFrom([...joining, ...left], lock);
    expect(sizes(after)).toEqual([MOST_READ - 1, LENGTH - MOST_READ]);
    const next = interpreter.interpret(read(4, first(2), LENGTH - 1));
    expect(next).toMatchObject([{ type: 'waiter.queued', holder: holder(MOST_READ + 1), queueLength: LENGTH - 1 }]);
    expect(sizes(lockFrom(next, after))).toEqual([MOST_READ, LENGTH - MOST_READ - 1]);
    expect(interpreter.interpret(read(5, first(2), LENGTH - 1))).toEqual([]);
  });

  test('[F13] without commands, each read updates the length of a long queue', () => {
    const { interpreter, events } = attached(false);
    const shorter = interpreter.interpret(read(1, first(501), LENGTH - 500));
    expect(shorter.filter(({ type }) => type === 'waiter.dequeued')).toHaveLength(500);
    const lock = lockFrom(shorter, lockFrom(events));
    expect(sizes(lock)).toEqual([MOST_READ, LENGTH - 500 - MOST_READ]);
    const short = lockFrom(interpreter.interpret(read(2, [holder(LENGTH)])), lock);
    expect(short.waiters.map(({ id }) => id)).toEqual([holder(LENGTH)]);
    expect(short.waitersBeyond).toBe(0);
    expect(lockFrom(interpreter.interpret(read(3, [])), short).waiters).toEqual([]);
  });

  test('[F13] the expected companions of a lock contain the length of its long queue', () => {
    const { interpreter } = attached();
    const key = interpreter.keys.find(0, 'jobs');
    const expected = key && expectedBeside(key);
    expect(expected?.queueLength).toEqual([String(LENGTH)]);
  });
});

test('when the deadlines are deleted, each waiter keeps its place in the queue', () => {
  const events = fairStory(`
    0.000 A waits 300
    1.000 B waits 300
    2.000 C waits 300
    3.000 - command DEL Z
  `);
  expect(events.slice(-2)).toMatchObject([
    { type: 'waiter.queued', holder: holderOf('B'), position: 1, deadline: null },
    { type: 'waiter.queued', holder: holderOf('C'), position: 2, deadline: null },
  ]);
});
