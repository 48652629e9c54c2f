import { expect, test } from 'vitest';
import { EN } from '../../words/en.ts';
import { waitersText } from './Waiters.tsx';

const asleep = { asleep: true, presumedGone: false };
const asking = { asleep: false, presumedGone: false };
const gone = { asleep: false, presumedGone: true };
const textOf = (waiters: readonly (typeof asleep)[], beyond = 0, seesWaiters = true) =>
  waitersText(waiters, beyond, seesWaiters, EN.timeline);

test('the text has the number of waiters, and how many of the waiters are asleep', () => {
  expect(textOf([asleep, asleep, asleep, asleep])).toBe('4 waiting, all asleep');
  expect(textOf([asleep, asleep, asking, asleep])).toBe('4 waiting, 3 asleep');
  expect(textOf([asleep, gone, asleep, asleep])).toBe('3 waiting, all asleep, 1 presumed gone');
});

test('if some waiters are unknown, the text does not say whether they sleep', () => {
  expect(textOf([asleep, asleep, asleep, asleep], 20)).toBe('24 waiting');
  expect(textOf([asleep, asleep, asleep, asleep], 0, false)).toBe('at least 4 waiting');
});
