import { expect, test } from 'vitest';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { lacksOf } from './source-lacks.ts';

const lacks = (...unseen: readonly Problem[]) => lacksOf({ unseen: [...unseen], keyEvents: 'notifications' });
const withoutRight = (loss: 'clients' | 'listeners' | 'search' | 'settings') =>
  problem('unseen-without-right', { loss, user: 'app', commands: ['client|list'], absent: [], grant: '' });

test('without lists of clients, presence is not known', () => {
  expect(lacks(problem('unseen-connections'))).toEqual(['presence']);
  expect(lacks(withoutRight('clients'), problem('unseen-clients'))).toEqual(['presence']);
});

test('before the first scan, before a text, and without the right to search, some locks are not seen', () => {
  expect(lacks(problem('unseen-before-scan', { percent: 3 }))).toEqual(['locks']);
  expect(lacks(problem('unseen-before-text'), withoutRight('search'))).toEqual(['locks']);
  expect(lacks(withoutRight('settings'), problem('unseen-attempts'))).toEqual([]);
});

test('without the right to count them, it is not known who listens', () => {
  expect(lacks(withoutRight('listeners'))).toEqual(['listeners']);
});

test('if key events are off or arrive as invalidations, evictions are not published', () => {
  for (const keyEvents of ['off', 'tracking'] as const)
    expect(lacksOf({ unseen: [], keyEvents })).toEqual(['key-events']);
});
