import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { NameShapes } from './name-shapes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // `--expose-gc` defines it

test('numbers and ids do not change a shape, and shapes that begin with the same word are limited in number', () => {
  const shapes = new NameShapes();
  expect(shapes.of('session:81723')).toBe('session:#');
  expect(shapes.of('job:6f1c2a90-1c2d-4e5f')).toBe('job:#');
  for (let n = 0; n < 32; n++) shapes.of(`user:${'x'.repeat(n + 1)}`);
  expect(shapes.of('user:alice')).toBe('user:*');
});

test('a shape does not keep a long name in memory', () => {
  const shapes = new NameShapes();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n++) {
    const word = String.fromCharCode(103 + (n % 10), 103 + Math.floor(n / 10));
    shapes.of(Buffer.alloc(1_000_000, word).toString('latin1'));
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});
