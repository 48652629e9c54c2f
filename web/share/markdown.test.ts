import { expect, test } from 'vitest';
import { asCode, asPlain, markdownOf, utcText } from './markdown.ts';

test('backticks and line breaks in a lock name do not end its code span, and a long name is cut', () => {
  expect(asCode('orders:42')).toBe('`orders:42`');
  expect(asCode('a`b``c')).toBe('```a`b``c```');
  expect(asCode('`a`')).toBe('`` `a` ``');
  expect(asCode('a\nb')).toBe('`a\\nb`');
  expect(asCode('x'.repeat(1000)).length).toBeLessThan(130);
});

test('characters of Markdown syntax are escaped in plain text', () => {
  expect(asPlain('a*b_[c](d)<e>')).toBe('a\\*b\\_\\[c\\](d)\\<e\\>');
});

test('an instant is in UTC, and the link ends at its own parenthesis', () => {
  expect(utcText(1_763_726_671_000_282)).toBe('2025-11-21 12:04:31.000 UTC');
  expect(markdownOf(['One.', 'Two.'], 'x]', 'http://h/locks/a(b)')).toBe(
    'One. Two.\n\n[x\\]](http://h/locks/a%28b%29)',
  );
  expect(markdownOf([], 'x'.repeat(5000), 'http://h').length).toBeLessThan(250);
});
