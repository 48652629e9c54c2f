import { afterEach, expect, test } from 'vitest';
import { type LockHoursAsked, lockHoursBody } from '../../shared/wire/lock-hours.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

const DAY = 86_400_000_000;

test('the hours of a lock come from the store, for the last 30 days up to now', async () => {
  const memory = makeMemoryObservatory();
  const asked: LockHoursAsked[] = [];
  const hours = { since: 7, watched: [], locks: [{ source: 'redis', db: 0, hours: [] }] };
  app = await serveTestApp({
    ...memory,
    lockHours: async (query) => {
      asked.push(query);
      return { ...hours, from: query.from, to: query.to };
    },
  });
  const now = memory.now();
  const { body } = await app.get('/api/hours?lock=orders:42&source=redis&db=0');
  expect(lockHoursBody.parse(body)).toMatchObject(hours);
  expect(asked).toEqual([{ lock: 'orders:42', source: 'redis', db: 0, from: now - 30 * DAY, to: now }]);
  const future = await app.get(`/api/hours?lock=a&from=${now + DAY}`);
  expect(future.status).toBe(400);
});

test('without a store it is not known since when a lock has been counted', async () => {
  app = await serveTestApp(makeMemoryObservatory());
  const { status, body } = await app.get('/api/hours?lock=a');
  expect([status, lockHoursBody.parse(body)]).toMatchObject([200, { since: null, watched: [], locks: [] }]);
});
