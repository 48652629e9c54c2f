import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { makeMemoryObservatory, type NewEvent } from '../testing/memory-observatory.ts';
import { type KeptRecordings, recordProblems } from './record-problems.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const opened = (insight: string, part: object = {}) =>
  ({
    ...{ type: 'insight.opened', incident: 'abba-deadlock', confidence: 'certain', severity: 'critical', insight },
    ...{ lock: 'orders:42 / ü', holders: [], ...part },
  }) as NewEvent;

/** An observatory whose recordings have `bytes`, and a store that keeps them. */
function recorded({ bytes = 10, isFull = false } = {}) {
  const observatory = makeMemoryObservatory();
  const asked: unknown[] = [];
  const kept: { id: string; name: string; origin: 'automatic' | 'saved'; bytes: number }[] = [];
  const warned: string[] = [];
  const recordings: KeptRecordings = {
    list: () => kept.toReversed(),
    add: async (name, origin, length) => {
      if (isFull) throw new Error('no room');
      kept.push({ id: name, name, origin, bytes: length });
    },
    delete: async (id) =>
      void kept.splice(
        kept.findIndex((each) => each.id === id),
        1,
      ),
  };
  const recording = async (query: object) => {
    asked.push(query);
    return { startedAt: redisTime(0), bytes: new Uint8Array(bytes) };
  };
  const warn = (line: string) => void warned.push(line);
  const saver = recordProblems({ observatory: { onBatch: observatory.onBatch, recording }, recordings, warn });
  return { observatory, asked, kept, warned, stop: () => saver.stop() };
}

const MINUTES = 60_000_000;

test('a critical problem is saved under its name, from two minutes before it began to two minutes after its report', async () => {
  const { observatory, asked, kept } = recorded();
  const [event] = observatory.record(
    opened('a', { from: 1_759_999_000_000_000 }),
    opened('w', { severity: 'warning' }),
  );
  await vi.advanceTimersByTimeAsync(119_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const to = (event?.at ?? 0) + 2 * MINUTES;
  expect(asked).toEqual([{ source: 'main', from: 1_759_999_000_000_000 - 2 * MINUTES, to }]);
  expect(kept).toMatchObject([
    { name: 'abba-deadlock-orders_42_-2025-10-09T08-53-20Z.lockscope', origin: 'automatic', bytes: 10 },
  ]);
});

test('a problem within two minutes of another extends its recording, and one that stays open is recorded once', async () => {
  const { observatory, asked, kept } = recorded();
  observatory.record(opened('a'));
  await vi.advanceTimersByTimeAsync(40_000);
  const [second] = observatory.record(opened('b'));
  await vi.advanceTimersByTimeAsync(119_999);
  expect(kept).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toMatchObject([{ to: (second?.at ?? 0) + 2 * MINUTES }]);
  expect(kept).toHaveLength(1);
  observatory.record(opened('a'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(kept).toHaveLength(1);
  observatory.record(opened('c'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(kept).toHaveLength(2);
});

test('a chain of problems is recorded in parts of about ten minutes, also if the clock of this machine is set back', async () => {
  const { observatory, kept } = recorded();
  for (let n = 0; n < 14; n++) {
    if (n === 5) vi.setSystemTime(Date.now() - 3_600_000);
    observatory.record(opened(`p${n}`, { incident: `p${n}` }));
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(kept.map(({ name }) => name.split('-')[0])).toEqual(['p0', 'p10']);
});

test('the oldest automatic recordings are deleted to make room, and those that a user saved are kept', async () => {
  const { observatory, kept } = recorded({ bytes: 40 * 1024 * 1024 });
  kept.push({ id: 'mine', name: 'mine', origin: 'saved', bytes: 500 * 1024 * 1024 });
  for (const insight of ['a', 'b', 'c', 'd']) {
    observatory.record(opened(insight, { incident: insight }));
    await vi.advanceTimersByTimeAsync(120_000);
  }
  expect(kept.map(({ name }) => name[0])).toEqual(['m', 'b', 'c', 'd']);
});

test('if there is no room for recordings, a warning is logged; after the end nothing is saved', async () => {
  const { observatory, kept, warned, stop } = recorded({ isFull: true });
  observatory.record(opened('a'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(warned).toEqual(['The recording of a problem was not saved: no room']);
  observatory.record(opened('b'));
  stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect([kept, warned.length]).toEqual([[], 1]);
});
