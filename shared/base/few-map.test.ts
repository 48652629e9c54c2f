import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FewMap } from './few-map.ts';

type Change = { readonly do: 'set' | 'delete' | 'clear'; readonly key: string; readonly value: string };

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    do: fc.constantFrom('set', 'set', 'delete', 'clear'),
    key: fc.constantFrom('A', 'B', 'C'),
    value: fc.constantFrom('', '1', '2'),
  }),
);

test('a FewMap has the same entries in the same order as a Map after any changes', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const few = new FewMap<string, string>();
      const map = new Map<string, string>();
      for (const { do: what, key, value } of all) {
        if (what === 'set') {
          few.set(key, value);
          map.set(key, value);
        } else if (what === 'delete') expect(few.delete(key)).toBe(map.delete(key));
        else {
          few.clear();
          map.clear();
        }
        expect([...few]).toEqual([...map]);
        expect([...few.keys()]).toEqual([...map.keys()]);
        expect([...few.values()]).toEqual([...map.values()]);
        expect(few.size).toBe(map.size);
        for (const letter of ['A', 'B', 'C']) {
          expect(few.get(letter)).toBe(map.get(letter));
          expect(few.has(letter)).toBe(map.has(letter));
        }
      }
    }),
  );
});
