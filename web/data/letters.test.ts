import { expect, test } from 'vitest';
import { letterIn, lettersAfter } from './letters.ts';

test('letters come in order of appearance and stay', () => {
  const first = lettersAfter([], ['u:1']);
  const second = lettersAfter(first, ['v:1', 'u:1']);
  const third = lettersAfter(second, ['v:1']);
  expect(['u:1', 'v:1', 'w:1'].map((id) => letterIn(third, id))).toEqual(['A', 'B', null]);
  expect(third).toBe(second);
});

test('one alone needs no letter', () => {
  expect(letterIn(['u:1'], 'u:1')).toBeNull();
  expect(letterIn(undefined, 'u:1')).toBeNull();
});

test('when the alphabet is used up, a newcomer takes the letter of someone who left', () => {
  const all = Array.from({ length: 26 }, (_, n) => `u:${n}`);
  const full = lettersAfter([], all);
  const next = lettersAfter(full, [...all.slice(0, 3), ...all.slice(4), 'new:1']);
  expect(letterIn(next, 'new:1')).toBe('D');
  expect(letterIn(next, 'u:3')).toBeNull();
  expect(letterIn(lettersAfter(full, [...all, 'late:1']), 'late:1')).toBeNull();
});
