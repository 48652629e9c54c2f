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
  const told: string[] = [];
  const stop = new AbortController();
  const run = (action: LocalOperation['action'], waitMs?: number) =>
    locks.run(operation(action, waitMs), stop.signal, ({ name }) => told.push(name));
  return { run, told, stop };
}

test('a thread that locks its own lock again waits, until its time limit or an interrupt', async () => {
  const { run, told, stop } = stage();
  expect(await run('localLock')).toBe('ok');
  expect(await run('localTryLock', 5)).toBe('false');
  const waiting = run('localLock');
  stop.abort(new Error('interrupted'));
  await expect(waiting).rejects.toThrow('interrupted');
  expect(await run('localUnlock')).toBe('ok');
  expect(told).toEqual(['local-taken', 'local-waits', 'local-gave-up', 'local-waits', 'local-let-go', 'local-freed']);
});

test('an unlock wakes one waiter', async () => {
  const { run, told } = stage();
  await run('localLock');
  const waiting = run('localTryLock', 10_000);
  await run('localUnlock');
  expect(await waiting).toBe('true');
  expect(told).toEqual(['local-taken', 'local-waits', 'local-freed', 'local-taken']);
});
