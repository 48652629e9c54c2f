import { expect, test } from 'vitest';
import { EN } from '../../words/en.ts';
import { placeText } from './lock-place.ts';

test('the place of a lock names one of several sources, and a database other than 0', () => {
  expect(placeText('redis/0/a', false, EN)).toBe('');
  expect(placeText('redis/12/a/b', false, EN)).toBe('db 12');
  expect(placeText('redis-2/0/a', true, EN)).toBe('redis-2');
  expect(placeText('redis-2/3/a', true, EN)).toBe('redis-2 db 3');
});
