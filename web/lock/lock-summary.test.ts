import { expect, test } from 'vitest';
import { makeHolder, makeLock } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { lockSummary, type SummaryOf } from './lock-summary.ts';

const AT = 1_763_726_671_000_000;
const S = 1_000_000;
const KNOWN: SummaryOf = { at: AT, hidden: null, isWatched: true };
const summaryOf = (part: Parameters<typeof makeLock>[0], known: Partial<SummaryOf> = {}) =>
  lockSummary(makeLock(part), { ...KNOWN, ...known }, EN).join(' ');

const waiter = (id: string, since: number, part: object = {}) => ({
  ...{ id, client: id.split(':')[0] ?? '', thread: '1', name: null, letter: 'B', mode: 'exclusive' as const },
  ...{ since, attempts: 2, asleep: true, position: null, deadline: null, presumedGone: false, ...part },
});

test('the sentence about a held lock has its holder, age, lease, waiters and renewals', () => {
  const holder = makeHolder('a:7', { name: 'api', since: AT - 90 * S, renewals: 9, lastRenewedAt: AT - 2 * S });
  const text = summaryOf({
    name: 'stock',
    held: true,
    holders: [holder],
    waiters: [waiter('w:1', AT - 4 * S), waiter('v:1', AT - 9 * S)],
    lease: { ms: 30_000, expiresAt: AT + 28 * S },
  });
  expect(text).toBe(
    'At 2025-11-21 12:04:31.000 UTC, the lock `stock` (s, database 0) was held by `api:7` for 90 s, with 28 s of its lease left. ' +
      'Waiting: 2, the oldest `v:1` for 9 s. 9 renewals of the lease seen, the last at 2025-11-21 12:04:29.000 UTC.',
  );
});

test('a hold whose beginning and end were not seen has a minimum age and an unknown end', () => {
  const holder = makeHolder('a:7', { since: null, firstSeenAt: AT - 5 * S });
  const text = summaryOf({ name: 'x', held: true, holders: [holder] });
  expect(text).toContain('for at least 5 s, and the end of its lease was not known.');
  const without = summaryOf({ name: 'x', held: true, holders: [makeHolder('a:7', { since: null })] });
  expect(without).toContain('held by `a:7`, and the end');
});

test('at level monitor, listeners without a known waiter are counted, and without listeners there is no waiter', () => {
  const held = { name: 'x', held: true, holders: [makeHolder('a:7', { since: AT })] };
  expect(summaryOf({ ...held, subscribers: 2 })).toContain(EN.share.lock.listening(2));
  expect(summaryOf({ ...held, subscribers: 0 })).toContain(EN.share.lock.noWaiters);
});

test('waiters that cannot be seen are not reported as absent', () => {
  for (const hidden of ['unread', 'listeners', 'queue', 'own'] as const)
    expect(summaryOf({ name: 'x', held: true }, { hidden })).toContain('Not all waiters can be seen');
  expect(summaryOf({ name: 'x' })).toContain('was free. No waiter was seen.');
  expect(summaryOf({ name: 'x' }, { hidden: 'level' })).toContain('waiters are not known');
  expect(summaryOf({ name: 'x', held: true, subscribers: 3 }, { hidden: 'level' })).toContain('3 clients listened');
});

test('a client that is gone is named, with its last address', () => {
  const holder = makeHolder('a:7', { presence: 'gone', goneSince: AT - 3 * S, address: '10.1.2.3:4' });
  expect(summaryOf({ name: 'x', held: true, holders: [holder] })).toContain(
    'The client of `a:7` had no connection to Redis since 2025-11-21 12:04:28.000 UTC (was 10.1.2.3:4).',
  );
});

test('if there are many holders, three are named, and no common lease is given', () => {
  const holders = ['a', 'b', 'c', 'd'].map((id) => makeHolder(`${id}:1`, { mode: 'read', since: AT - S }));
  const text = summaryOf({ name: 'x', kind: 'read-write-lock', held: true, holders, moreHolders: 6 });
  expect(text).toContain('held by `a:1` ×1 read, `b:1` ×1 read, `c:1` ×1 read and 7 more, the oldest hold for 1 s.');
});

test('a stale or inferred state is marked, and a semaphore is shown by its permits', () => {
  expect(summaryOf({ name: 'x' }, { isWatched: false })).toContain('the last state it saw');
  const permits = { available: 2, total: 5 };
  expect(summaryOf({ name: 'x', kind: 'semaphore', permits: permits as never })).toContain(
    'x` (s, database 0): 3 of 5 taken.',
  );
  expect(summaryOf({ name: 'x', certainty: 'inferred' })).toContain('Inferred');
});
