import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { textsOf } from '../../shared/insights/words.ts';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { crashOf, sayOf } from './verdicts.ts';

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
  expect(advice).toMatch(/^No action is needed/);
  expect(crashOf(lock, alive)).toBeUndefined();
});

test('a thread that is neither a holder nor a waiter is written by id', () => {
  expect(sayOf(makeLock({ name: 'orders:42' })).who(`${CLIENT}:7`)).toBe('8f3a1c02:7');
});
