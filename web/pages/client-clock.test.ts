import { expect, test } from 'vitest';
import { EN } from '../words/en.ts';
import { clockText } from './ClientSubscriptions.tsx';

test('a measured clock is a bound, since the script was on its way for some time', () => {
  const said = EN.clients.clock;
  expect(clockText(1_200_000, said)).toBe('At least 20 min 0 s ahead of the clock of Redis.');
  expect(clockText(-90_000, said)).toBe('At most 90 s behind the clock of Redis.');
  expect(clockText(null, said)).toBe('No difference of 1 s or more to the clock of Redis was seen.');
});
