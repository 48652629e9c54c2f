import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { World } from './world.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const KB = 1024;

function base(seq: number, lock: string) {
  const place = {
    seq,
    at: redisTime(1_795_000_000_000_000 + seq),
    source: 'redis',
    db: 0,
    lock,
    kind: 'lock',
  } as const;
  return { ...place, certainty: 'observed', holder: HOLDER, mode: 'exclusive' } as const;
}

function acquired(seq: number, lock: string): LockEvent {
  return { ...base(seq, lock), type: 'lock.acquired', holdCount: 1, leaseMs: 30_000 };
}

function released(seq: number, lock: string): LockEvent {
  return { ...base(seq, lock), type: 'lock.released', holdCount: 0 };
}

/** Each of `count` locks is acquired and released once. */
function addFree(world: World, count: number, prefix = 'free'): string[] {
  const evicted: string[] = [];
  for (let n = 0; n < count; n++) {
    evicted.push(...world.apply(acquired(2 * n + 1, `${prefix}:${n}`)).evicted);
    evicted.push(...world.apply(released(2 * n + 2, `${prefix}:${n}`)).evicted);
  }
  return evicted;
}

describe('the memory limit for locks', () => {
  test('evicts the free locks that changed longest ago', () => {
    const world = new World({ mostBytes: 100 * KB });
    const evicted = addFree(world, 1000);
    expect(world.bytes).toBeLessThanOrEqual(100 * KB);
    expect(world.isCapped).toBe(true);
    expect(world.size + evicted.length).toBe(1000);
    expect(evicted).toEqual(evicted.map((_, n) => `redis/0/free:${n}`));
    expect(world.get('redis/0/free:999')).toBeDefined();
  });

  test('keeps a held lock while there are free locks', () => {
    const world = new World({ mostBytes: 100 * KB });
    for (let n = 0; n < 20; n++) world.apply(acquired(n + 1, `held:${n}`));
    addFree(world, 1000);
    expect([...world.busy()].map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `held:${n}`));
    expect(world.bytes).toBeLessThanOrEqual(100 * KB);
  });

  test('is exceeded at most twofold if all locks are held', () => {
    const world = new World({ mostBytes: 100 * KB });
    for (let n = 0; n < 1000; n++) world.apply(acquired(n + 1, `held:${n}`));
    expect(world.bytes).toBeLessThanOrEqual(200 * KB);
    expect(world.get('redis/0/held:999')?.holders).toHaveLength(1);
  });

  test('evicts a touched lock after the others', () => {
    const world = new World({ mostBytes: 100 * KB });
    addFree(world, 10, 'first');
    world.touch('redis/0/first:0');
    addFree(world, 130);
    expect(world.get('redis/0/first:0')).toBeDefined();
    expect(world.get('redis/0/first:1')).toBeUndefined();
  });

  test('includes the length of names', () => {
    const world = new World({ mostBytes: 1000 * KB });
    addFree(world, 100, 'x'.repeat(100 * KB));
    expect(world.size).toBeLessThan(10);
  });

  test('evicts locks when it is lowered', () => {
    const world = new World({ mostBytes: 1000 * KB });
    addFree(world, 300);
    const before = world.size;
    const evicted = world.setRoom(50 * KB);
    expect(world.bytes).toBeLessThanOrEqual(50 * KB);
    expect(evicted.length).toBe(before - world.size);
  });
});
