import { expect, test } from 'vitest';
import { Changing } from './changing.ts';

test('a listener is called after each change, but not if the value stays the same or after it unsubscribed', () => {
  const level = new Changing('events');
  const seen: string[] = [];
  const unsubscribe = level.subscribe(() => seen.push(level.get()));
  level.set('monitor');
  level.set('monitor');
  level.set('events');
  unsubscribe();
  level.set('snapshot');
  expect(seen).toEqual(['monitor', 'events']);
  expect(level.get()).toBe('snapshot');
});
