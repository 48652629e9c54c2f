import { expect, test } from 'vitest';
import { printableInCell } from '../printable.ts';
import { countdownText, lengthText, timeText } from './lengths.ts';
import { cut, cutMiddle, padded, widthOf, wrapped } from './width.ts';

test.each([
  ['orders:42', 9],
  ['锁a', 3],
  ['😀', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['ｆ', 2],
  ['عربي', 4],
  ['…×', 2],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('characters that terminals show in different widths are escaped; Chinese, Arabic and Thai text is not', () => {
  expect(printableInCell('锁 {a} عربي 😀 é ไม้')).toBe('锁 {a} عربي 😀 é ไม้');
  expect(printableInCell('👩\u200d💻 👍🏽 ❤\ufe0f \u{1f1e9}')).toBe('👩\\u200d💻 👍\\u1f3fd ❤\\ufe0f \\u1f1e9');
  expect(printableInCell('\u0301a\u0301\u0301\u0301\u0301')).toBe('\\u301a\u0301\u0301\\u301\\u301');
});

test('a text is cut beside a wide character, not inside it, with an ellipsis for the missing part', () => {
  expect(cut('锁锁锁', 6)).toBe('锁锁锁');
  expect(cut('锁锁锁', 5)).toBe('锁锁…');
  expect(cut('锁锁锁', 4)).toBe('锁…');
  expect(cut('abc', 0)).toBe('');
  expect(cutMiddle('orders:2026-11-21:customer-4711', 16)).toBe('orders:2…er-4711');
  expect(widthOf(cutMiddle('锁'.repeat(30), 10))).toBeLessThanOrEqual(10);
});

test('padding counts columns', () => {
  expect(padded('锁', 4)).toBe('锁  ');
  expect(padded('锁', 4, 'right')).toBe('  锁');
});

test('a text is broken between words; longer words are divided', () => {
  expect(wrapped('To do: release one of these', 12, '  ')).toEqual(['To do:', '  release', '  one of', '  these']);
  expect(wrapped('ab cdefghijkl', 5)).toEqual(['ab', 'cdefg', 'hijkl']);
  expect(wrapped('  锁锁锁', 4)).toEqual(['  锁', '锁锁']);
  expect(wrapped('锁', 1)).toEqual(['锁', '']);
});

test('lengths of time take at most six columns, and an instant is shown in UTC', () => {
  const times = [0, 999, 59_999, 61_000, 3_599_000, 11_520_000, 356_400_000, 1e13];
  expect(times.map(lengthText)).toEqual(['0s', '0s', '59s', '1m01s', '59m59s', '3h12m', '4d03h', '99999d']);
  expect([0, 149, 27_349, 59_999, 61_000].map(countdownText)).toEqual(['0.0s', '0.1s', '27.3s', '59.9s', '1m01s']);
  expect(timeText(1_795_000_000_000_000)).toBe('11:06:40Z');
});
