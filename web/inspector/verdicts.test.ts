import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { textsOf } from '../../shared/insights/words.ts';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { waiterText } from './lock-words.ts';
import { blockersOf, crashOf, lossesOf, sayOf } from './verdicts.ts';

const CLIENT = '8f3a1c02-a552-4cac-b9ed-4a986a0325f9';
const gone = makeHolder(`${CLIENT}:7`, { presence: 'gone', goneSince: 1_000_000, name: 'order-svc' });
const alive = makeHolder('9f3a1c02-a552-4cac-b9ed-4a986a0325f9:1', { presence: 'connected' });

test('a holder whose client is gone gets a sentence with its name and the number of waiters', () => {
  const lock = makeLock({
    ...{ name: 'orders:42', held: true, holders: [alive, gone], waiters: [makeWaiter('b:1')] },
    lease: { ms: 30_000, expiresAt: redisTime(31_000_000) },
  });
  const crash = crashOf(lock, gone);
  if (!crash) throw new Error('no verdict');
  expect(crash.holders).toEqual([gone.id]);
  const { explanation, advice } = textsOf(EN.insights, crash, { ...sayOf(lock), clock: (at) => `${at / 1e6} s` });
  expect(explanation).toBe(
    'The client of order-svc:7 has no open connection, last seen at 1 s. Until the lease ends at 31 s, no client can take this lock. 1 thread waits for it.',
  );
  expect(advice).toMatch(/^Wait: this ends by itself/);
  expect(crashOf(lock, alive)).toBeUndefined();
});

test('a thread that is neither a holder nor a waiter is written by id', () => {
  expect(sayOf(makeLock({ name: 'orders:42' })).who(`${CLIENT}:7`)).toBe('8f3a1c02:7');
});

const queued = (id: string, position: number, part = {}) => makeWaiter(id, { position, ...part });
const dead = { presumedGone: true };

test('dead waiters block a fair queue only up to the first live one', () => {
  const waiters = [queued('a:1', 1, dead), queued('b:1', 2, dead), queued('c:1', 3), queued('d:1', 4, dead)];
  expect([...blockersOf(makeLock({ name: 'a', kind: 'fair-lock', waiters }))]).toEqual(['a:1', 'b:1']);
  const alive = [queued('c:1', 1), queued('d:1', 2, dead)];
  expect(blockersOf(makeLock({ name: 'a', kind: 'fair-lock', waiters: alive })).size).toBe(0);
  expect(waiterText(queued('d:1', 4, dead), EN.lock, 'fair-lock', false)).toBe('presumed gone, still in the queue');
});

const believer = (part = {}) => ({
  ...{ id: `${CLIENT}:1`, client: CLIENT, thread: '1', name: 'billing-1', letter: 'B', mode: 'exclusive' as const },
  ...{ presence: 'connected' as const, goneSince: null, since: 1, lostAt: 5, until: 30_000_000, ...part },
});

test('a client that does not know of its loss gets a verdict, with the current holder; a client that is gone gets none', () => {
  const lock = makeLock({ name: 'a', held: true, holders: [alive], believers: [believer()] });
  const [loss, ...more] = lossesOf(lock, redisTime(9_000_000));
  expect(more).toEqual([]);
  expect(loss?.values).toMatchObject({ holder: `${CLIENT}:1`, heldBy: alive.id });
  expect(loss && textsOf(EN.insights, loss, sayOf(lock)).explanation).toContain('billing-1:1');
  expect(lossesOf(lock, redisTime(30_000_001))).toEqual([]);
  const isGone = makeLock({ ...lock, believers: [believer({ presence: 'gone', goneSince: 6 })] });
  expect(lossesOf(isGone, redisTime(9_000_000))).toEqual([]);
});
