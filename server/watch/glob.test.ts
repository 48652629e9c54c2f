import { expect, test } from 'vitest';
import { patternFromGlob } from './glob.ts';

test.each([
  ['orders:*', 'orders:42', true],
  ['orders:*', 'my-orders:42', false],
  ['lock:?', 'lock:a', true],
  ['lock:?', 'lock:ab', false],
  ['lock:[ab]', 'lock:b', true],
  ['lock:[^ab]', 'lock:b', false],
  ['a.b', 'axb', false],
  ['{a}(b)|$', '{a}(b)|$', true],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['*', 'two\nlines', true],
])('%s and %s: %s', (glob, name, isMatch) => {
  expect(patternFromGlob(glob).test(name)).toBe(isMatch);
});
