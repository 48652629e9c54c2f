import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternFromGlob, problemOfGlob } from './glob.ts';

test.each([
  ['orders:*', 'orders:42', true],
  ['orders:*', 'my-orders:42', false],
  ['lock:?', 'lock:a', true],
  ['lock:?', 'lock:ab', false],
  ['lock:[ab]', 'lock:b', true],
  ['lock:[^ab]', 'lock:b', false],
  ['lock:[^ab]', 'lock:c', true],
  ['[a-c]x', 'bx', true],
  ['[z-a]*', 'orders', true],
  ['[z-a]*', 'ORDERS', false],
  ['[\\]-]', ']', true],
  ['[abc', 'b', true],
  ['[^]x', '9x', true],
  ['a.b', 'axb', false],
  ['{a}(b)|$', '{a}(b)|$', true],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['\\', '\\', true],
  ['*', 'two\nlines', true],
  ['*a*b*c', 'xaybzc', true],
  ['*ab*ab', 'ab', false],
  ['订单:*', '订单:42', true],
  ['订?', '订单', false], // `?` is one byte in Redis
  ['订???', '订单', true],
])('the glob %s matches the name %s: %s', (glob, name, isMatch) => {
  expect(patternFromGlob(glob).test(name)).toBe(isMatch);
});

test('random globs of letters, `*`, `?` and classes match what a regular expression matches', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '[a]', '[^a]'), maxLength: 8 });
  fc.assert(
    fc.property(glob, letters, (text, name) => {
      const pattern = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(patternFromGlob(text).test(name)).toBe(pattern.test(name));
    }),
    { numRuns: 20_000 },
  );
});

test('a name of 100 KB that almost matches a glob with many stars is rejected without trying every split', () => {
  const name = 'orderlock'.repeat(12_000);
  expect(patternFromGlob('*order*lock*order*lock*order*v?').test(name)).toBe(false);
  expect(patternFromGlob('*order*lock*order*lock*order*k').test(name)).toBe(true);
});

test.each([
  ['[', false],
  ['orders:[]*', false],
  ['orders:[^]', true],
  ['[z-a]*', true],
  ['[订]*', true],
  ['\\[', true],
])('the glob %s can match a name: %s', (glob, canMatch) => {
  expect(problemOfGlob(glob) === undefined).toBe(canMatch);
});
