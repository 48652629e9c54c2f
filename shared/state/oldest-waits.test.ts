import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { World } from './world.ts';

const HOLDERS = Array.from({ length: 9 }, (_, n) => `0a000000-0000-4000-8000-00000000000${n}:1`);

function eventOf(seq: number, source: string, lock: string, holder: string, type: 'refused' | 'acquired'): LockEvent {
  const place = { seq, at: redisTime(1_795_000_000_000_000 + seq), source, db: 0, lock, kind: 'lock', holder } as const;
  const about = { ...place, certainty: 'observed', mode: 'exclusive' } as const;
  if (type === 'refused') return { ...about, type: 'lock.refused', ttlMs: 1, attempt: 2, asleep: true };
  return { ...about, type: 'lock.acquired', holdCount: 1, leaseMs: 30_000 };
}

/** The oldest wait of each source, found by looking at every lock. */
function oldestByHand(world: World): Map<string, number> {
  const oldest = new Map<string, number>();
  for (const [, { source, waiters }] of world.entries())
    for (const { since, isConfirmed, presumedGoneAt } of waiters)
      if (isConfirmed && presumedGoneAt === null) oldest.set(source, Math.min(since, oldest.get(source) ?? Infinity));
  return oldest;
}

function oldestOf(world: World): Map<string, number> {
  return new Map([...world.oldestWaits.entries()].map(([source, { at }]) => [source, at]));
}

describe('the oldest wait of each source', () => {
  test('equals the oldest wait of its locks after each of 4,000 events, also after locks were dropped', () => {
    const world = new World();
    let most = 0;
    for (let seq = 1; seq <= 4000; seq++) {
      const dice = (seq * 2_654_435_761) >>> 8;
      const source = dice % 3 === 0 ? 'a' : 'b';
      const holder = HOLDERS[(dice >> 4) % 9] ?? '';
      world.apply(eventOf(seq, source, `lock:${(dice >> 8) % 20}`, holder, dice % 5 < 3 ? 'refused' : 'acquired'));
      if (seq % 500 === 0) world.forget([`b/0/lock:${(dice >> 8) % 20}`]);
      if (seq % 1500 === 0) world.forgetSource('a');
      const byHand = oldestByHand(world);
      expect(oldestOf(world)).toEqual(byHand);
      most = Math.max(most, byHand.size);
    }
    expect(most).toBe(2);
    expect(oldestOf(world.copy())).toEqual(oldestByHand(world));
  });

  test('is absent after the last wait has ended', () => {
    const world = new World();
    world.apply(eventOf(1, 'a', 'lock', HOLDERS[0] ?? '', 'refused'));
    expect(oldestOf(world).get('a')).toBe(1_795_000_000_000_001);
    world.apply(eventOf(2, 'a', 'lock', HOLDERS[0] ?? '', 'acquired'));
    expect(oldestOf(world).size).toBe(0);
  });
});
