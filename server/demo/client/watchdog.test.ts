import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watchdog } from './watchdog.ts';

const LEASE_MS = 6000;
const LOCK = 'orders:42';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watchdog with a list of its renewals: locks, and ms since the start. */
function watched() {
  const renewed: string[] = [];
  const began = Date.now();
  const renew = async (holds: readonly { lock: string }[]) => {
    renewed.push(`${Date.now() - began} ${holds.map(({ lock }) => lock).join(' ')}`);
    return holds.map(() => true);
  };
  return { renewed, watchdog: new Watchdog(LEASE_MS, renew, () => undefined) };
}

test('all holds are renewed together, every third of the lease, while there are any', async () => {
  const { renewed, watchdog } = watched();
  watchdog.add(LOCK, 1, 'a:1');
  await vi.advanceTimersByTimeAsync(500);
  watchdog.add('stock:7', 1, 'a:1');
  await vi.advanceTimersByTimeAsync(2000);
  watchdog.removeLevel(LOCK, 1);
  await vi.advanceTimersByTimeAsync(2000);
  watchdog.removeLock('stock:7');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(renewed).toEqual([`2000 ${LOCK} stock:7`, '4000 stock:7']);
});

test('after a time without holds, a new hold is first renewed a third of the lease after its start', async () => {
  const { renewed, watchdog } = watched();
  watchdog.add(LOCK, 1, 'a:1');
  await vi.advanceTimersByTimeAsync(1500);
  watchdog.removeHold(LOCK, 1);
  watchdog.add(LOCK, 2, 'a:2');
  await vi.advanceTimersByTimeAsync(2500);
  expect(renewed).toEqual([`3500 ${LOCK}`]);
});
