import { expect, test } from 'vitest';
import { namesFrom } from './people-names.ts';

const CLIENT = '8f3a1c02-5d7e-4b1a-9c3f-2e6d8a4b7c10';
const HOLDER = `${CLIENT}:7`;
const lockId = 'main/0/orders:42';
const letters = new Map([[lockId, new Map([[HOLDER, 'A']])]]);
const names = new Map([[CLIENT, 'orders-api']]);

test('a thread is shown with its letter only in a timeline of a single lock', () => {
  const nameIn = (areSeveral: boolean) => namesFrom(new Map(), { letters, names }, areSeveral)(lockId, HOLDER);
  expect(nameIn(false)).toBe('A orders-api:7');
  expect(nameIn(true)).toBe('orders-api:7');
});

test('a thread of the demo is shown with the letter that the demo gave it, also in a timeline of several locks', () => {
  const nameOf = namesFrom(new Map([[HOLDER, 'B']]), { letters, names }, true);
  expect(nameOf(lockId, HOLDER)).toBe('B orders-api:7');
});
