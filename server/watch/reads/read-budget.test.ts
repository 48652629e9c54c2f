import { expect, test } from 'vitest';
import { ReadBudget } from './read-budget.ts';

test('saved time may be spent at once, and after that at most the share of each second', () => {
  const budget = new ReadBudget(1000, 5000, 0);
  let spent = 0;
  for (let now = 0; now <= 10_000; now++) {
    while (budget.pauseMs(now) === 0) {
      budget.spend(100, now);
      spent += 100;
    }
  }
  expect(spent).toBeGreaterThan(14_000);
  expect(spent).toBeLessThan(15_200);
});

test('after one large expense, the budget pauses until that is paid back', () => {
  const budget = new ReadBudget(1000, 1000, 0);
  budget.spend(11_000, 0);
  expect(budget.pauseMs(0)).toBeGreaterThanOrEqual(10_000);
  expect(budget.pauseMs(10_001)).toBe(0);
});

test('no time is saved beyond the limit, and a clock that goes back takes no time away', () => {
  const budget = new ReadBudget(1000, 1000, 0);
  budget.spend(500, 3_600_000);
  expect(budget.pauseMs(0)).toBe(0);
  budget.spend(600, 0);
  expect(budget.pauseMs(0)).toBeGreaterThan(0);
});
