import { expect, test } from 'vitest';
import { CostParts } from './cost-parts.ts';

const holdOf = (holder: string, micros: number) => ({ cause: 'hold', lock: 'x', holder, micros }) as const;

test('the parts of one holder are added up, and the rest of a cause is a part without a holder', () => {
  const parts = new CostParts();
  for (const part of [holdOf('A', 50), holdOf('B', 30), holdOf('C', 20), holdOf('A', 5)]) parts.add(part);
  parts.add({ cause: 'free', lock: 'x', micros: 40 });
  expect(parts.parts(1)).toEqual([
    { cause: 'hold', lock: 'x', holder: 'A', micros: 55 },
    { cause: 'hold', micros: 50 },
    { cause: 'free', micros: 40 },
  ]);
});

test('of very many holders only the largest are kept by name, and no time is lost', () => {
  const parts = new CostParts();
  for (let n = 1; n <= 1000; n++) parts.add(holdOf(`small ${n}`, 10));
  parts.add(holdOf('big', 500));
  for (let n = 1; n <= 1000; n++) parts.add(holdOf(`later ${n}`, 10));
  const found = parts.parts(1000);
  expect(found.length).toBeLessThan(200);
  expect(found.reduce((sum, { micros }) => sum + micros, 0)).toBe(20_500);
  expect(parts.parts(1)[1]).toMatchObject({ holder: 'big', micros: 500 });
});
