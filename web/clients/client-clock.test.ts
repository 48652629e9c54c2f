import { expect, test } from 'vitest';
import { EN } from '../words/en.ts';
import { clockText } from './ClientSubscriptions.tsx';

test('the difference of a clock is shown as a bound, because the time that the script was on its way is not known', () => {
  const texts = EN.clients.clock;
  expect(clockText(1_200_000, texts)).toBe('At least 20 min 0 s ahead of the clock of Redis.');
  expect(clockText(-90_000, texts)).toBe('At most 90 s behind the clock of Redis.');
  // a bound is rounded so that it stays true
  expect(clockText(1996, texts)).toBe('At least 1.99 s ahead of the clock of Redis.');
  expect(clockText(-1991, texts)).toBe('At most 2 s behind the clock of Redis.');
  expect(clockText(119_900, texts)).toBe('At least 1 min 59 s ahead of the clock of Redis.');
  expect(clockText(-3_661_000, texts)).toBe('At most 1 h 2 min behind the clock of Redis.');
  expect(clockText(-90_000_000, texts)).toBe('At most 1 d 1 h behind the clock of Redis.');
  expect(clockText(-90_000_001, texts)).toBe('At most 1 d 2 h behind the clock of Redis.');
  expect(clockText(null, texts)).toBe('No difference of 1 s or more to the clock of Redis was seen.');
});
