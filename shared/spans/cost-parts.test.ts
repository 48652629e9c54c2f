import { expect, test } from 'vitest';
import { CostParts } from './cost-parts.ts';

const holdOf = (holder: string, micros: number) => ({ cause: 'hold', lock: 'x', holder, micros }) as const;

test('the parts of a cost are added up by holder, and the holders beyond the limit share one part without a holder', () => {
  const parts = new CostParts();
  for (const part of [holdOf('A', 50), holdOf('B', 30), holdOf('C', 20), holdOf('A', 5)]) parts.add(part);
  parts.add({ cause: 'free', lock: 'x', micros: 40 });
  expect(parts.parts(1)).toEqual([
    { cause: 'hold', lock: 'x', holder: 'A', micros: 55 },
    { cause: 'hold', micros: 50 },
    { cause: 'free', micros: 40 },
  ]);
});

test('a holder with many short parts keeps all of their time', () => {
  const parts = new CostParts();
  for (let turn = 0; turn < 100; turn++) {
    parts.add(holdOf('often', 10));
    for (let n = 0; n < 200; n++) parts.add(holdOf(`once ${turn}/${n}`, 11));
  }
  expect(parts.parts(1)).toMatchObject([{ micros: 219_000 + 1000 }, { holder: 'often', micros: 1000 }]);
});

test('without room for the name of another holder, its time is counted in a part without a holder', () => {
  const room = { left: 3 };
  const [some, others] = [new CostParts(room), new CostParts(room)];
  for (const holder of ['A', 'B', 'A', 'C', 'D']) some.add(holdOf(holder, 10));
  others.add(holdOf('E', 10));
  expect(some.parts(9)).toEqual([
    { cause: 'hold', lock: 'x', holder: 'A', micros: 20 },
    { cause: 'hold', lock: 'x', holder: 'B', micros: 10 },
    { cause: 'hold', lock: 'x', holder: 'C', micros: 10 },
    { cause: 'hold', micros: 10 },
  ]);
  expect(others.parts(9)).toEqual([{ cause: 'hold', micros: 10 }]);
});
