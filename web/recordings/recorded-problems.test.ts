import { expect, test } from 'vitest';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import { inOrder } from './recorded-problems.ts';

const problem = (seq: number, severity: LoggedProblem['severity']) => ({ seq, severity }) as LoggedProblem; // it reads only these

test('the critical problems of a recording are first, each in order of time', () => {
  const all = [problem(9, 'warning'), problem(7, 'critical'), problem(3, 'warning'), problem(2, 'critical')];
  expect(inOrder(all).map(({ seq }) => seq)).toEqual([2, 7, 3, 9]);
});
