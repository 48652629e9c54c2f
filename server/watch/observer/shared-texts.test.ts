import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { SharedTexts } from './shared-texts.ts';

const FOUND: LockEvent = {
  ...{ seq: 1, at: redisTime(1), source: 'redis://a', db: 0, lock: 'orders:1', kind: 'lock', certainty: 'observed' },
  type: 'lock.found',
  holders: [{ holder: 'a552:1', holdCount: 1, mode: 'exclusive' }],
  expiresAt: null,
};

test('events keep their content when they share texts', () => {
  const events = structuredClone([FOUND, { ...FOUND, seq: 2, lock: 'orders:2' }]);
  new SharedTexts().share(events);
  expect(events).toEqual([FOUND, { ...FOUND, seq: 2, lock: 'orders:2' }]);
});

test('if events have more texts than are kept, the texts stay unchanged', () => {
  const events = Array.from({ length: 30_000 }, (_, n) => ({
    ...FOUND,
    holders: [{ holder: `a552:${n}`, holdCount: 1, mode: 'exclusive' as const }],
  }));
  new SharedTexts().share(events);
  expect(events.every(({ holders: [held] }, n) => held?.holder === `a552:${n}`)).toBe(true);
});
