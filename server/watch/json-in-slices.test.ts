import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';
import { jsonInSlices } from './json-in-slices.ts';

test('is what JSON.stringify writes, for lists of any length', async () => {
  const list = (length: number) => Array.from({ length }, (_, n) => ({ n, text: `"${n}\u2028` }));
  for (const length of [0, 1, 199, 200, 201, 1000]) {
    const body = { v: 1, none: undefined, 'a "name"': list(length), nothing: null, last: { deep: [1, [2]] } };
    expect(await inSlices(jsonInSlices(body))).toBe(JSON.stringify(body));
  }
});
