import { expect, test } from 'vitest';
import { story } from '../../testing/stories/story.ts';
import { lockIdOf } from '../state/lock-state.ts';
import { World } from '../state/world.ts';
import { Outlines } from './outlines.ts';
import { Ranges } from './ranges.ts';

const MB = 1024 * 1024;

function outlinesOf(texts: readonly string[], room = MB): { outlines: Outlines; from: number } {
  const outlines = new Outlines(room, () => 0);
  const world = new World();
  const events = story(...texts);
  for (const event of events) {
    const id = lockIdOf(event);
    world.apply(event, id);
    outlines.take(event, id, world.get(id));
  }
  return { outlines, from: Math.floor((events[0]?.at ?? 0) / 1_000_000) * 1_000_000 };
}

const TWO = `
  orders:42 lease 30s
  0.0 A attempts acquired
  2.0 B attempts refused
  2.1 B subscribes
  2.2 B attempts refused
  4.0 A releases
  4.1 B attempts acquired
  6.0 B releases
  8.0 A attempts acquired
`;

test('an outline shows in which columns a lock was held, and waited for', () => {
  const { outlines, from } = outlinesOf([TWO]);
  const [lock] = outlines.columns(from, from + 10_000_000, 10, from + 9_500_000);
  expect(lock).toMatchObject({ name: 'orders:42', kind: 'lock', held: [0, 7, 8, 2], waited: [2, 3] });
  expect([...outlines.columns(from + 6_500_000, from + 7_500_000, 10, from + 9_500_000)]).toEqual([]);
});

test('a hold whose end was not seen ends where the blind spot begins', () => {
  const { outlines, from } = outlinesOf([TWO]);
  outlines.endAll(from + 8_500_000, 'story');
  const [lock] = outlines.columns(from, from + 10_000_000, 10, from + 9_500_000);
  expect(lock?.held).toEqual([0, 7, 8, 1]);
});

test('an outline of a day looks the same with merged ranges as with exact ranges', () => {
  const [exact, merged] = [new Ranges(), new Ranges()];
  const now = 86_400_000_000;
  // a day ago, two hours with a hold of 0.4 s each second; then nothing until a hold 5 s before now
  const holds = Array.from({ length: 7200 }, (_, second) => [second * 1_000_000, second * 1_000_000 + 400_000]);
  for (const [from = 0, to = 0] of [...holds, [now - 5_000_000, now - 4_000_000]]) {
    for (const each of [exact, merged]) {
      each.set(true, from);
      each.set(false, to);
    }
  }
  merged.merge(now, 0, 800);
  expect(exact.size).toBe(2 * 7201);
  expect(merged.size).toBe(4);
  expect(merged.columns(0, now, 500, now)).toEqual(exact.columns(0, now, 500, now));
  expect(merged.columns(now - 10_000_000, now, 10, now)).toEqual([5, 2]);
});

test('without room, the locks that changed longest ago are dropped', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `lock:${n} lease 30s\n${n}.0 A attempts acquired`);
  const { outlines, from } = outlinesOf(lines, 8 * 62 * 20);
  const shown = [...outlines.columns(from, from + 60_000_000, 60, from + 60_000_000)];
  expect(shown[0]?.name).toBe('lock:49');
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.length).toBeLessThanOrEqual(20);
});
