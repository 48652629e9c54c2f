import { expect, test } from 'vitest';
import { missingIn, type Translated, withEnglish } from './translated.ts';

const english = {
  title: 'Locks',
  held: (count: number) => `${count} held`,
  steps: ['one', 'two'] as readonly string[],
  column: { lock: 'Lock', held: 'Held for' },
};
const partial: Translated<typeof english> = { title: '锁', column: { held: '持有时长' } };

test('a text that a translation lacks is shown in English', () => {
  const words = withEnglish(english, partial);
  expect(words).toMatchObject({ title: '锁', steps: ['one', 'two'], column: { lock: 'Lock', held: '持有时长' } });
  expect(words.held(3)).toBe('3 held');
  expect(english.column).toEqual({ lock: 'Lock', held: 'Held for' });
});

test('texts that only a translation has are kept', () => {
  const roles: { keyRole: Readonly<Record<string, string>> } = { keyRole: {} };
  expect(withEnglish(roles, { keyRole: { queue: '队列' } })).toEqual({ keyRole: { queue: '队列' } });
});

test('texts that a translation lacks are listed by their path', () => {
  const pathsIn = (translated: object) => missingIn(english, translated).map(({ path }) => path);
  expect(pathsIn(partial)).toEqual(['held', 'steps', 'column.lock']);
  expect(pathsIn({})).toEqual(['title', 'held', 'steps', 'column.lock', 'column.held']);
  expect(pathsIn(english)).toEqual([]);
  expect(missingIn(english, partial)[2]).toEqual({ path: 'column.lock', english: 'Lock' });
});
