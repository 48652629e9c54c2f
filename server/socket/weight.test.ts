import { expect, test } from 'vitest';
import { acquired } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { fitting, weightOf } from './weight.ts';

test('a value that is too heavy is left out, and a lighter value after it is not', () => {
  expect(fitting(['a', 'x'.repeat(100), 'b'], 60)).toEqual(['a', 'b']);
});

test('the computed weight of a lock is close to the length of its JSON', () => {
  const observatory = makeMemoryObservatory();
  observatory.record(acquired('orders:42', 'u1:1'));
  const [lock] = observatory.locks();
  const { length } = JSON.stringify(lock);
  expect(weightOf(lock)).toBeGreaterThan(length / 2);
  expect(weightOf(lock)).toBeLessThan(length * 2);
});
