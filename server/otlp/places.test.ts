import { expect, test } from 'vitest';
import { Places } from './places.ts';

test('the newest places are kept, at most twice the limit, and the first place of an event is used', () => {
  const places = new Places(2);
  const place = (n: number) => ({ traceId: 't', spanId: `${n}` });
  for (const n of [1, 2, 3, 4, 5]) places.add(n, place(n));
  places.add(5, place(9));
  const kept = [1, 2, 3, 4, 5].map((n) => places.get(n)?.spanId);
  expect(kept).toEqual([undefined, undefined, '3', '4', '5']);
});
