import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

test('the lines are the same, however the text is cut into pieces', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const splitter = new LineSplitter();
      const lines = pieces.flatMap((each) => splitter.add(each));
      expect([...lines, splitter.rest()]).toEqual(pieces.join('').split('\n'));
      expect(splitter.restLength).toBe(splitter.rest().length);
    }),
  );
});

test('the beginning of a line that is too long is kept, and the next line is complete', () => {
  const splitter = new LineSplitter(5);
  expect(splitter.add('12345\n123456')).toEqual(['12345']);
  expect(splitter.add('789'.repeat(1000))).toEqual([]);
  expect(splitter.restLength).toBe(3006);
  expect(splitter.add('\nab')).toEqual(['123456']);
  expect(splitter.rest()).toBe('ab');
});
