import { expect, test } from 'vitest';
import { holderMatcher, partMatcher } from './name-parts.ts';

const UUID = '8f3a1c02-7248-4046-a5a4-e76ba17fea7d';

test('a search finds a lock by a part of its name, in upper or lower case', () => {
  const matches = partMatcher('Payment');
  expect(matches('payments:EU')).toBe(true);
  expect(matches('orders:42')).toBe(false);
  expect(matches('payments:EU')).toBe(true);
});

test('a search finds a holder by its id, its name with the thread, and the short form that pages show', () => {
  const nameOf = (client: string) => (client === UUID ? 'payments-worker' : undefined);
  const id = `${UUID}:46`;
  for (const part of ['payments', 'PAYMENTS-worker:46', '8f3a1c02:46', '4046', UUID]) {
    expect(holderMatcher(part, nameOf)(id), part).toBe(true);
  }
  expect(holderMatcher('worker:4711', nameOf)(id)).toBe(false);
  expect(holderMatcher('payments', () => undefined)(id)).toBe(false);
  expect(holderMatcher('tok', nameOf)('Token-1')).toBe(true);
});
