import { expect, test } from 'vitest';
import { pastInstant } from '../words/en/locks/past-instant.ts';
import { unwatchedText } from './AsOfBanner.tsx';

const at = (second: number) => Date.UTC(2026, 10, 30, 12, 0, second) * 1000;
const since = (source: string, second: number) => ({ source, unwatchedSince: at(second), lacks: [] });

test('the banner of a past instant names each source that was not watched then, and since when', () => {
  expect(unwatchedText([], pastInstant)).toBeUndefined();
  expect(unwatchedText([{ source: 'orders', lacks: ['presence'] }], pastInstant)).toBeUndefined();
  const text = unwatchedText([since('orders', 9), { source: 'stock', lacks: [] }], pastInstant);
  expect(text).toMatch(/^Not watched at this instant: orders \(since .*:09\)\. The page shows what was seen last\.$/);
});

test('if many sources were not watched, the banner names the first, and counts the others', () => {
  const text = unwatchedText(
    ['a', 'b', 'c', 'd', 'e'].map((source, n) => since(source, n)),
    pastInstant,
  );
  expect(text).toMatch(/: a \(.*\), b \(.*\), c \(.*\), 2 more\. /);
});
