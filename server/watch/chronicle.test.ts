import { describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { createChronicle } from './chronicle.ts';
import type { ObservedBatch } from './observatory.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const AT = 1_795_000_000_000_000;

function acquired(seq: number, lock: string, ms: number): LockEvent {
  const base = { seq, at: redisTime(AT + ms * 1000), source: 'redis', db: 0, lock, kind: 'lock' } as const;
  return { ...base, certainty: 'observed', type: 'lock.acquired', holder: HOLDER, mode: 'exclusive', leaseMs: 30_000 };
}

function released(seq: number, lock: string, ms: number): LockEvent {
  const { leaseMs: _lease, ...base } = acquired(seq, lock, ms) as LockEvent & { leaseMs: number };
  return { ...base, type: 'lock.released', holder: HOLDER, mode: 'exclusive', holdCount: 0 } as LockEvent; // no lease is left
}

describe('groups', () => {
  test('[G1] what was told before is corrected, in history and in the lock', () => {
    const chronicle = createChronicle(() => redisTime(AT));
    const batches: ObservedBatch[] = [];
    chronicle.answers.onBatch((batch) => batches.push(batch));
    chronicle.add([acquired(1, 'a', 0)]);
    chronicle.add([acquired(2, 'b', 2)]);

    expect(chronicle.history.find({ group: 'g1', limit: 10 }).map(({ lock }) => lock)).toEqual(['a', 'b']);
    expect(chronicle.answers.locks().map(({ name, holders }) => [name, holders[0]?.group])).toEqual([
      ['a', 'g1'],
      ['b', 'g1'],
    ]);
    expect(batches[1]?.changed).toEqual(['redis/0/a', 'redis/0/b']);
    expect(batches[1]?.events[0]).toMatchObject({ group: 'g1', groupSeqs: [1] });
  });

  test('[G1] both of one batch are told with their group', () => {
    const chronicle = createChronicle(() => redisTime(AT));
    const told: LockEvent[] = [];
    chronicle.answers.onBatch(({ events }) => told.push(...events));
    chronicle.add([acquired(1, 'a', 0), acquired(2, 'b', 2)]);
    expect(told.map(({ group }) => group)).toEqual(['g1', 'g1']);
    expect(chronicle.answers.lockAt('redis/0/a', redisTime(AT + 1000))?.holders[0]?.group).toBe('g1');
  });

  test('[G2] a group that is none after all is taken back', () => {
    const chronicle = createChronicle(() => redisTime(AT));
    chronicle.add([acquired(1, 'a', 0), acquired(2, 'b', 2), acquired(3, 'c', 4), released(4, 'b', 1000)]);
    chronicle.add([released(5, 'a', 3000)]);
    expect(chronicle.history.find({ limit: 10 }).some(({ group }) => group !== undefined)).toBe(false);
    expect(chronicle.answers.lockById('redis/0/c')?.holders[0]?.group).toBeUndefined();
  });
});
