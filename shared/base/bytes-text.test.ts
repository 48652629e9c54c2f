import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryFromText, textFromBinary } from './bytes-text.ts';

test('valid UTF-8 reads as text', () => {
  expect(textFromBinary(Buffer.from('汉字锁 {a}').toString('latin1'))).toBe('汉字锁 {a}');
});

test('bytes that are not UTF-8 are shown as redis-cli shows them', () => {
  expect(textFromBinary('lock\xff\\a')).toBe('lock\\xff\\\\a');
});

test('two names never give the same text, and every name can be restored', () => {
  const awkwardText = fc.oneof(
    fc.constantFrom('\\', 'x', 'f', '\xff', '\xc3', '\xa9', '\\xff', '\\\\'),
    fc.string({ maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(awkwardText, { maxLength: 8 }), (pieces) => {
      const binary = pieces.join('').replace(/[^\x00-\xff]/g, '?');
      expect(binaryFromText(textFromBinary(binary))).toBe(binary);
    }),
    { numRuns: 5000 },
  );
});
