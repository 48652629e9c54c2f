import { expect, test } from 'vitest';
import { LocalLocks, type LocalOperation } from './local-locks.ts';

const operation = (action: LocalOperation['action'], waitMs?: number): LocalOperation => ({
  op: 1,
  thread: 1,
  action,
  lock: 'plain',
  ...(waitMs === undefined ? {} : { waitMs }),
});

function stage() {
  const locks = new LocalLocks();
  const reported: string[] = [];
  const stop = new AbortController();
  const run = (action: LocalOperation['action'], waitMs?: number) =>
    locks.run(operation(action, waitMs), stop.signal, ({ name }) => reported.push(name));
  return { run, reported, stop };
}

test('a thread that locks its own lock again waits, until its time limit or an interrupt', async () => {
  const { run, reported, stop } = stage();
  expect(await run('localLock')).toBe('ok');
  expect(await run('localTryLock', 5)).toBe('false');
  const waiting = run('localLock');
  stop.abort(new Error('interrupted'));
  await expect(waiting).rejects.toThrow('interrupted');
  expect(await run('localUnlock')).toBe('ok');
  expect(reported).toEqual([
    'local-taken',
    'local-waits',
    'local-gave-up',
    'local-waits',
    'local-let-go',
    'local-freed',
  ]);
});

test('an unlock wakes a waiter, which then acquires the lock', async () => {
  const { run, reported } = stage();
  await run('localLock');
  const waiting = run('localTryLock', 10_000);
  await run('localUnlock');
  expect(await waiting).toBe('true');
  expect(reported).toEqual(['local-taken', 'local-waits', 'local-freed', 'local-taken']);
});
