import { afterEach, expect, test, vi } from 'vitest';
import { makeLock } from '../../testing/make.ts';
import type { LiveMessage } from '../live/live-state.ts';
import type { LiveStore } from '../live/live-store.ts';
import { readRemainingLocks } from './queries.ts';

afterEach(() => vi.unstubAllGlobals());

test('when another snapshot arrives, no further locks are requested for the last one', async () => {
  const later = new AbortController();
  const taken: LiveMessage[] = [];
  const store = { clock: { addReading: () => {} }, take: (message: LiveMessage) => taken.push(message) };
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    if (asked.length === 2) later.abort();
    return Promise.resolve(
      Response.json({ v: 1, at: 1, locks: [makeLock({ name: 'a' })], total: 3, nextCursor: 'next' }),
    );
  });
  await expect(readRemainingLocks(store as unknown as LiveStore, later.signal)).rejects.toThrow();
  expect(asked).toHaveLength(2);
  expect(taken).toHaveLength(1);
});
