import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import { inOrder, ticksOnBar } from './recorded-problems.ts';

const problem = (seq: number, severity: LoggedProblem['severity']) => ({ seq, severity }) as LoggedProblem; // the code under test reads only these fields

test('the critical problems of a recording are first, then the others, both by their `seq`', () => {
  const all = [problem(9, 'warning'), problem(7, 'critical'), problem(3, 'warning'), problem(2, 'critical')];
  expect(inOrder(all).map(({ seq }) => seq)).toEqual([2, 7, 3, 9]);
});

test('problems that are close to each other on the bar share a tick, named by the first critical problem', () => {
  const whole = { from: redisTime(1000), to: redisTime(2000) };
  const at = (reportedAt: number, severity: LoggedProblem['severity']) =>
    ({ seq: reportedAt, reportedAt, severity }) as LoggedProblem; // the code under test reads only these fields
  const all = [
    at(1505, 'critical'),
    at(1519, 'critical'),
    at(1500, 'warning'),
    at(1520, 'warning'),
    at(999, 'critical'),
    at(2001, 'critical'),
    at(2000, 'warning'),
  ];
  const ticks = ticksOnBar(all, whole).map((tick) => [tick.at, tick.problem.severity, tick.others]);
  expect(ticks).toEqual([
    [1505, 'critical', 3],
    [2000, 'warning', 0],
  ]);
});

test('ticks are at least a 50th of the bar apart, also if the critical problem of a tick is not its first', () => {
  const at = (reportedAt: number, severity: LoggedProblem['severity']) =>
    ({ seq: reportedAt, reportedAt, severity }) as LoggedProblem; // the code under test reads only these fields
  const all = [at(0, 'warning'), at(19, 'critical'), at(20, 'warning'), at(39, 'warning')];
  const ticks = ticksOnBar(all, { from: redisTime(0), to: redisTime(1000) }).map((tick) => [tick.at, tick.others]);
  expect(ticks).toEqual([
    [19, 2],
    [39, 0],
  ]);
});

test('the bar of 2,000 problems has at most 51 ticks, which count all problems', () => {
  const all = Array.from(
    { length: 2000 },
    (_, seq) => ({ seq, reportedAt: seq, severity: 'warning' }) as LoggedProblem,
  );
  const ticks = ticksOnBar(all, { from: redisTime(0), to: redisTime(1999) });
  expect(ticks.length).toBeLessThanOrEqual(51);
  expect(ticks.reduce((sum, { others }) => sum + 1 + others, 0)).toBe(2000);
});
