import { expect, test } from 'vitest';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { equalFacts, ledRows, rowsOfProblems } from './equal-problems.ts';

const DEAD = '8f3a1c02-5d7e-4b1a-9c3f-2e6d8a4b7c10';
const OTHER = '11111111-5d7e-4b1a-9c3f-2e6d8a4b7c10';

/** The problem of one lock that this client held when it ended. */
function orphaned(lock: string, part: Partial<WireInsight> = {}): WireInsight {
  return {
    ...{ id: `gone-${lock}`, incident: 'holder-crashed-wait-ttl', effect: 'orphaned', severity: 'warning' },
    ...{ source: 'redis', db: 0, lock, holders: [`${DEAD}:7`], from: 10, to: null, selfHealsAt: 90 },
    ...{ values: { waiting: 1 }, ...part },
  } as WireInsight; // the code under test reads only these fields
}

const idsOf = (insights: readonly WireInsight[]) =>
  rowsOfProblems(insights).map((row) => row.insights.map(({ id }) => id).join(' '));

test('equal problems of one client are one row at the place of the first', () => {
  const deadlock = orphaned('x', { id: 'deadlock', incident: 'abba-deadlock' });
  expect(idsOf([orphaned('a'), deadlock, orphaned('b'), orphaned('c')])).toEqual(['gone-a gone-b gone-c', 'deadlock']);
});

test('in a row, problems are sorted by the number of waiters, then by the name of the lock', () => {
  const waiting = (lock: string, n: number) => orphaned(lock, { values: { waiting: n } });
  expect(idsOf([waiting('c', 0), waiting('a', 0), waiting('b', 2), waiting('d', 3)])).toEqual([
    'gone-d gone-b gone-a gone-c',
  ]);
});

test('of equal problems the one with the most waiters leads, and the others are a row behind it', () => {
  const waiting = (lock: string, n: number) => orphaned(lock, { values: { waiting: n } });
  const other = orphaned('x', { id: 'other', incident: 'convoy', values: { waiting: 9 } });
  const insights = [waiting('c', 0), waiting('a', 0), waiting('b', 2), other, waiting('d', 0)];
  const ids = ledRows(insights).map((row) => row.insights.map(({ id }) => id).join(' '));
  expect(ids).toEqual(['gone-b', 'gone-a gone-c gone-d', 'other']);
  expect(ledRows([])).toEqual([]);
});

test('two equal problems are not joined into one row', () => {
  const between = orphaned('x', { id: 'between', incident: 'convoy' });
  expect(idsOf([orphaned('a'), between, orphaned('b')])).toEqual(['gone-a', 'between', 'gone-b']);
});

test.each([
  ['of another client', { holders: [`${OTHER}:7`] }],
  ['of two clients', { holders: [`${DEAD}:7`, `${OTHER}:7`] }],
  ['without a holder', { holders: [] }],
  ['of another kind', { incident: 'orphan-job-lock' }],
  ['of another severity', { severity: 'critical' }],
  ['on another server', { source: 'other' }],
  ['that is over', { to: 50 }],
  ['of a circle of locks', { values: { path: [] } }],
  ['of a whole server', { lock: undefined }],
] as [string, Partial<WireInsight>][])('a problem %s has a row of its own', (_, part) => {
  const rows = idsOf([orphaned('a'), orphaned('b'), orphaned('c'), orphaned('d', { id: 'other', ...part })]);
  expect(rows).toEqual(['gone-a gone-b gone-c', 'other']);
});

test('a row has the earliest beginning, the latest end, and all waiters', () => {
  const [row] = rowsOfProblems([
    orphaned('a'),
    orphaned('b', { from: 5, selfHealsAt: 95, values: { waiting: 3 } }),
    orphaned('c', { from: 20, values: { waiting: 0 } }),
  ]);
  expect(row && equalFacts(row.insights)).toMatchObject({
    locks: [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
    waiting: { count: 4, isAtLeast: false },
    ...{ from: 5, isAtLeast: false, to: null, selfHealsAt: 95 },
  });
});

test('a fact that is not known about one problem is not claimed about all of them', () => {
  const [row] = rowsOfProblems([
    orphaned('a', { isAtLeast: true, from: 20 }),
    orphaned('b', { selfHealsAt: null }),
    orphaned('b', { id: 'again', values: {} }),
  ]);
  expect(row && equalFacts(row.insights)).toMatchObject({
    locks: [{ name: 'a' }, { name: 'b' }],
    waiting: { count: 2, isAtLeast: true },
    ...{ from: 10, isAtLeast: true, selfHealsAt: null },
  });
});
