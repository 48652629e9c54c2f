import { expect, test } from 'vitest';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { countsListeners, readsQueues } from '../../../shared/wire/watched.ts';
import { lacksOf, recordedLacks, unseenInRecording } from './source-lacks.ts';

const lacks = (...unseen: readonly Problem[]) => lacksOf({ unseen: [...unseen], keyEvents: 'notifications' });
const withoutRight = (loss: 'clients' | 'listeners' | 'search' | 'settings' | 'large' | 'waiters') =>
  problem('unseen-without-right', { loss, user: 'app', commands: ['client|list'], absent: [], grant: '' });

test('without lists of clients, presence is not known', () => {
  expect(lacks(problem('unseen-connections'))).toEqual(['presence']);
  expect(lacks(withoutRight('clients'), problem('unseen-clients'))).toEqual(['presence']);
});

test('before the first scan, before a recorded text begins, and without the rights to search and to read, some locks are not seen', () => {
  expect(lacks(problem('unseen-before-scan', { percent: 3 }))).toEqual(['locks']);
  expect(lacks(problem('unseen-dropped-lines'))).toEqual(['locks']);
  expect(lacks(problem('unseen-before-text'), withoutRight('search'))).toEqual(['locks']);
  for (const loss of ['large', 'waiters'] as const) expect(lacks(withoutRight(loss))).toEqual(['locks']);
  expect(lacks(problem('unseen-waiters'))).toEqual(['locks']);
  expect(lacks(withoutRight('settings'), problem('unseen-attempts'))).toEqual([]);
});

test('without the right to count listeners, the listeners are unknown', () => {
  expect(lacks(withoutRight('listeners'))).toEqual(['listeners']);
});

test('if key events are off, or changes arrive as invalidations instead, the source lacks key events', () => {
  for (const keyEvents of ['off', 'tracking'] as const)
    expect(lacksOf({ unseen: [], keyEvents })).toEqual(['key-events']);
});

test('a recording notes that a pattern left out locks, and lacks nothing about the other locks', () => {
  const matched = { unseen: [problem('unseen-unmatched', { match: ['a:*'] })], keyEvents: 'notifications' as const };
  expect(lacksOf(matched)).toEqual([]);
  expect(recordedLacks(matched)).toEqual(['unmatched']);
  const opened = { ...matched, unseen: unseenInRecording(['unmatched']) };
  expect([lacksOf(opened), recordedLacks(opened)]).toEqual([[], ['unmatched']]);
});

test('a recording names what was not known, and one of an older version may lack all of it', () => {
  const unseen: Problem[] = [
    withoutRight('listeners'),
    problem('unseen-keys', { user: 'app', names: ['a'], grant: '' }),
  ];
  const recorded = recordedLacks({ unseen, keyEvents: 'off' });
  expect(recorded).toEqual(['key-events', 'listeners', 'locks', 'queues']);
  const opened = { unseen: unseenInRecording(recorded), keyEvents: 'notifications' as const };
  expect(recordedLacks(opened)).toEqual(recorded);
  expect([countsListeners(opened), readsQueues(opened)]).toEqual([false, false]);
  const old = { unseen: unseenInRecording(undefined), keyEvents: 'notifications' as const };
  expect(lacksOf(old)).toEqual(['presence', 'key-events', 'locks', 'listeners']);
  expect([countsListeners(old), readsQueues(old)]).toEqual([false, false]);
  expect(unseenInRecording([])).toEqual([]);
  expect(lacks(...unseenInRecording(['of a later version']))).toEqual(['locks']);
});
