import { expect, test } from 'vitest';
import { EN } from '../words/en.ts';
import {
  changeText,
  costliestText,
  costNotes,
  mostText,
  noCosts,
  noWaitsText,
  olderText,
  partText,
  timeCellText,
  timeText,
} from './waits-text.ts';

const nameOf = (holder: string) => holder.toUpperCase();

test('a part names its holder, and its lock only if that is not the lock that was waited for', () => {
  const part = { cause: 'hold', holder: 'a:1', lock: 'orders:42', ms: 3100 } as const;
  expect(partText(part, nameOf, EN.waits, 'orders:42')).toBe('held by A:1');
  expect(partText(part, nameOf, EN.waits, 'orders:43')).toBe('held by A:1 (orders:42)');
  expect(partText({ cause: 'hold', ms: 5 }, nameOf, EN.waits)).toBe('other holders');
});

test('costs from whole hours have a note about hours, and costs of locks and clients a note about deadlocks', () => {
  const { long } = EN.waits;
  expect(costNotes('hold', 'hours', EN.waits)).toBe(`${long.hours} ${long.costliest}`);
  expect(costNotes('hold', 'events', EN.waits)).toBe('');
  for (const by of ['lock', 'client'] as const) {
    expect(costNotes(by, 'hours', EN.waits)).toBe(`${long.hours} ${long.deadlocks}`);
    expect(costNotes(by, 'events', EN.waits)).toBe(long.deadlocks);
  }
});

test('an empty list of holds does not claim that no thread waited', () => {
  expect(noCosts('hold', EN.waits)).toBe('No hold that other threads waited for is known in this range.');
  expect(noCosts('lock', EN.waits)).toBe('No wait was seen in this range.');
});

test('the sentence about all waits names the largest part with its share', () => {
  const parts = [
    { cause: 'hold', holder: 'a:1', lock: 'orders:42', ms: 3000 },
    { cause: 'unseen', ms: 1000 },
  ] as const;
  expect(mostText({ waits: 2, waitedMs: 4000, parts: [...parts] }, nameOf, EN)).toBe(
    'The largest part, 3 s (75 %), was spent on holds of orders:42 by A:1.',
  );
  expect(mostText({ waits: 1, waitedMs: 1000, parts: [parts[1]] }, nameOf, EN)).toBe(
    'For the largest part, 1 s (100 %), it is not known whether the lock was held.',
  );
  expect(mostText({ waits: 0, waitedMs: 0, parts: [] }, nameOf, EN)).toBeNull();
});

test('the costliest hold is reported with its cost', () => {
  const about = { source: 's', db: 0, from: 0, to: null, isOpenStart: false, seq: 1 };
  const hold = { ...about, lock: 'report:nightly', holder: 'b:2', causedMs: 41_000, waiters: 12 };
  expect(costliestText([hold], nameOf, EN)).toBe('One hold of report:nightly by B:2 cost 12 threads 41 s.');
});

test('a time is shown with "at least" if a wait began before it was seen', () => {
  expect([timeText(41_000, undefined, EN.waits), timeText(41_000, true, EN.waits)]).toEqual(['41 s', 'at least 41 s']);
  const about = { source: 's', db: 0, from: 0, to: null, isOpenStart: false, seq: 1 };
  const hold = { ...about, lock: 'a', holder: 'b:2', causedMs: 41_000, isAtLeast: true, waiters: 1 } as const;
  expect(costliestText([hold], nameOf, EN)).toBe('One hold of a by B:2 cost 1 thread at least 41 s.');
});

test('a cell of a table shows "–" for no time, even if a beginning was not seen', () => {
  const cells = [timeCellText(0, true, EN.waits), timeCellText(41_000, false, EN.waits)];
  expect(cells).toEqual(['–', '41 s']);
  expect(timeCellText(41_000, true, EN.waits)).toBe('at least 41 s');
});

test('holds and waits whose beginning was not seen are counted beside the figures', () => {
  expect(olderText({ holds: 1, waits: 2 }, EN.waits)).toBe(
    'The beginning of 1 hold and 2 waits was not seen. How long they took is not known, so they are not in the table.',
  );
  expect(olderText({ holds: 0, waits: 1 }, EN.waits)).toContain('The beginning of 1 wait was not seen');
  expect(olderText(undefined, EN.waits)).toBeNull();
});

test('if waits could not be seen, the text does not claim that no thread waited', () => {
  const unseen = (ms: number) => ({
    from: 1e9,
    to: 3e9,
    unseen: [{ source: 'redis-1', reason: 'level' as const, ms }],
  });
  expect(noWaitsText({ ...unseen(0), unseen: [] }, EN.waits)).toBe('No wait was seen in this range.');
  expect(noWaitsText(unseen(100), EN.waits)).toBe('No wait was seen in this range.');
  expect(noWaitsText(unseen(2_000_000), EN.waits)).toBe(EN.waits.unknown);
});

test('a change of time has its sign', () => {
  expect([1500, -1500, 0].map(changeText)).toEqual(['+1.5 s', '−1.5 s', '–']);
});
