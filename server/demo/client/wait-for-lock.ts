import { startTimer, steadyMs, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { MilestoneDetail } from './protocol.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { WakeUps } from './wake-ups.ts';

/** One thread's wait for one lock. */
export type Wait = {
  /** The channel whose messages wake the thread. */
  channel: string;
  /** Null: no limit. 0: one attempt. */
  waitMs: number | null;
  /** One attempt: null if acquired, else the TTL in ms of the hold in its way; negative if that hold never expires. */
  attempt: () => Promise<number | null>;
  /** Called when the thread gives up after waiting. */
  giveUp?: () => Promise<void>;
  subscriptions: Subscriptions;
  /** Ends the wait, which then rejects with the signal's reason. */
  interrupt: AbortSignal;
  report: (detail: MilestoneDetail) => void;
};

/**
 * Acquires a lock, or gives up after `waitMs`. True: acquired.
 *
 *   attempt ─refused→ subscribe → attempt ─refused→ sleep → attempt ─refused→ sleep → …
 *                                                     ends with a message, the last TTL, or the time limit
 */
export async function waitForLock(wait: Wait): Promise<boolean> {
  const started = steadyMs();
  const waited = () => Math.round(steadyMs() - started);
  const left = () => (wait.waitMs === null ? Number.POSITIVE_INFINITY : wait.waitMs - (steadyMs() - started));
  let attempts = 0;
  let wokenBy: 'message' | 'own-timer' | undefined;

  const attempt = async (): Promise<number | null> => {
    const ttlMs = await wait.attempt();
    attempts++;
    const how = { attempt: attempts, ...(wokenBy && { wokenBy }) };
    wait.report(ttlMs === null ? { name: 'acquired', ...how } : { name: 'refused', ttlMs, ...how });
    return ttlMs;
  };
  const giveUp = async (): Promise<false> => {
    await wait.giveUp?.();
    wait.report({ name: 'gave-up', waitedMs: waited() });
    return false;
  };

  if ((await attempt()) === null) return true;
  if (wait.waitMs === 0) return false;
  if (left() <= 0) return giveUp();
  const joined = await joinInTime(wait, left());
  if (!joined) return giveUp();
  try {
    while (left() > 0) {
      const ttlMs = await attempt();
      if (ttlMs === null) return true;
      const rest = left();
      if (rest <= 0) break;
      const limit = ttlMs < 0 ? rest : Math.min(rest, ttlMs);
      wokenBy = await joined.wakeUps.sleep(limit === Number.POSITIVE_INFINITY ? null : limit, wait.interrupt);
    }
    return await giveUp();
  } finally {
    joined.leave();
  }
}

/** The lock's subscription, or `undefined` if it was not made within the limit. */
async function joinInTime(wait: Wait, limitMs: number): Promise<{ wakeUps: WakeUps; leave: () => void } | undefined> {
  const { channel } = wait;
  const report = (name: 'subscribed' | 'unsubscribed', on: string) => wait.report({ name, channel: on });
  const leave = () => wait.subscriptions.leave(channel, report);
  const joining = wait.subscriptions.join(channel, report);
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    if (limitMs !== Number.POSITIVE_INFINITY) timer = startTimer(() => resolve(undefined), limitMs);
  });
  const wakeUps = await Promise.race([joining, late]);
  stopTimer(timer);
  if (wakeUps) return { wakeUps, leave };
  joining.then(leave, () => undefined);
  return undefined;
}
