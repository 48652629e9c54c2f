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
