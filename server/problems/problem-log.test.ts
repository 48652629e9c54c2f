import { expect, test } from 'vitest';
import type { NewEvent } from '../testing/memory-observatory.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { followProblems, problemsIn } from './follow-problems.ts';

const about = { incident: 'abba-deadlock', confidence: 'certain', insight: 'a', lock: 'orders:1' } as const;
const opened = (part: object = {}) =>
  ({ ...about, type: 'insight.opened', severity: 'warning', holders: ['x:1'], ...part }) as NewEvent;
const closed = (part: object = {}) => ({ ...about, type: 'insight.closed', severity: 'warning', ...part }) as NewEvent;
const noted = (text: string, part: object = {}) =>
  ({ type: 'insight.noted', insight: 'a', lock: 'orders:1', text, isAcknowledged: true, ...part }) as NewEvent;

function watched() {
  const observatory = makeMemoryObservatory();
  return { observatory, ...followProblems(observatory) };
}

test('a problem is in the log from its first report to its end, with its highest severity and its notes', async () => {
  const { observatory, log } = watched();
  const [first] = observatory.record(opened({ from: 5, isAtLeast: true }));
  expect(log.list(0)).toEqual([
    {
      ...{ insight: 'a', incident: 'abba-deadlock', severity: 'warning', confidence: 'certain', holders: ['x:1'] },
      ...{ source: 'main', db: 0, lock: 'orders:1', seq: 1, reportedAt: first?.at, from: 5, isAtLeast: true },
      ...{ to: null, notes: [] },
    },
  ]);
  observatory.record(opened({ severity: 'critical' }), noted('restarting orders-api', { author: 'Kim' }));
  const [last] = observatory.record(closed());
  expect(log.list(0)).toMatchObject([
    {
      ...{ severity: 'critical', to: last?.at },
      notes: [{ text: 'restarting orders-api', author: 'Kim', isAcknowledged: true }],
    },
  ]);
  expect((await problemsIn(observatory.history)).list(0)).toEqual(log.list(0));
});

test('a problem that can no longer be checked is marked as not known', () => {
  const { observatory, log } = watched();
  observatory.record(opened(), closed({ isUnknown: true }));
  expect(log.find('a')).toMatchObject({ isUnknown: true });
  observatory.record(opened());
  expect(log.find('a')).toMatchObject({ to: null });
  expect(log.find('a')).not.toHaveProperty('isUnknown');
});

test('problems that ended more than 24 hours ago are not listed; open ones are, the newest first', () => {
  const { observatory, log } = watched();
  const [, old] = observatory.record(opened(), closed());
  observatory.record(opened({ insight: 'b' }), opened({ insight: 'c' }));
  const day = 24 * 3600 * 1_000_000;
  const ids = (now: number) => log.list(now).map(({ insight }) => insight);
  expect(ids((old?.at ?? 0) + day)).toEqual(['c', 'b', 'a']);
  expect(ids((old?.at ?? 0) + day + 1)).toEqual(['c', 'b']);
});

test('the newest 2000 problems are kept, and the newest 20 notes of a problem', () => {
  const { observatory, log } = watched();
  for (let n = 0; n < 2100; n++) observatory.record(opened({ insight: `p${n}` }));
  expect(log.list(0)).toHaveLength(2000);
  expect(log.find('p99')).toBeUndefined();
  for (let n = 0; n < 25; n++) observatory.record(noted(`${n}`, { insight: 'p2000' }));
  expect(log.find('p2000')?.notes.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 5}`));
});
