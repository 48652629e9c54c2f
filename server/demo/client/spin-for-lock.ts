import { steadyMs } from '../../redis/connection/surroundings.ts';
import { backOffMs } from './kinds/spin-lock.ts';
import { pause } from './pause.ts';
import type { Wait } from './wait-for-lock.ts';

/** Acquires a lock without a channel by polling. True: acquired; false: gave up after `waitMs`. */
export async function spinForLock(wait: Omit<Wait, 'channel' | 'subscriptions' | 'giveUp'>): Promise<boolean> {
  const started = steadyMs();
  const waited = () => steadyMs() - started;
  for (let attempt = 1; ; attempt++) {
    const ttlMs = await wait.attempt();
    wait.report(ttlMs === null ? { name: 'acquired', attempt } : { name: 'refused', attempt, ttlMs });
    if (ttlMs === null) return true;
    if (wait.waitMs === 0) return false;
    if (wait.waitMs !== null && waited() >= wait.waitMs) {
      wait.report({ name: 'gave-up', waitedMs: Math.round(waited()) });
      return false;
    }
    await pause(backOffMs(attempt - 1), wait.interrupt);
  }
}
