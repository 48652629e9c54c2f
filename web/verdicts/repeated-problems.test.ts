import { expect, test } from 'vitest';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import { repeatedProblems } from './repeated-problems.ts';

const S = 1_000_000;
const problem = (lock: string, fromS: number, toS: number | null) =>
  ({
    ...{ incident: 'abba-deadlock', source: 'redis', db: 0, lock },
    ...{ from: fromS * S, to: toS === null ? null : toS * S },
  }) as LoggedProblem; // the code under test reads only these fields

test('repetitions of a problem of a lock share a line with their number and total time', () => {
  const all = [problem('a', 100, null), problem('b', 60, 61), problem('a', 10, 30)];
  expect(repeatedProblems(all, 110 * S)).toEqual([
    { newest: all[0], count: 2, ms: 30_000, isOpen: true },
    { newest: all[1], count: 1, ms: 1000, isOpen: false },
  ]);
});
