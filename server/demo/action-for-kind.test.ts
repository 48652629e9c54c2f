import { expect, test } from 'vitest';
import { actionForKind } from './action-for-kind.ts';
import { latch } from './scenarios/latch.ts';
import { semaphore } from './scenarios/semaphore.ts';
import { twoThreads } from './scenarios/two-threads.ts';

test('without a kind, the kind of the scenario’s lock is used', () => {
  expect(actionForKind('lock', { lock: 'pool:mail', leaseMs: 5 }, semaphore)).toEqual({
    action: 'acquire',
    body: { lock: 'pool:mail', leaseMs: 5, kind: 'semaphore' },
  });
  expect(actionForKind('unlock', { lock: 'boot:7' }, latch).action).toBe('countDown');
  expect(actionForKind('tryLock', { lock: 'boot:7' }, latch)).toEqual({
    action: 'await',
    body: { lock: 'boot:7', kind: 'latch', waitMs: 0 },
  });
});

test('no kind is added for another lock or for a plain one, and a given kind is kept', () => {
  expect(actionForKind('lock', { lock: 'other' }, semaphore)).toEqual({ action: 'lock', body: { lock: 'other' } });
  expect(actionForKind('lock', { lock: 'orders:42' }, twoThreads)).toEqual({
    action: 'lock',
    body: { lock: 'orders:42' },
  });
  const body = { lock: 'pool:mail', kind: 'fair-lock' } as const;
  expect(actionForKind('unlock', body, semaphore)).toEqual({ action: 'unlock', body });
});
