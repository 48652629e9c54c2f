import { plusMillis, type RedisTime } from '../base/time.ts';
import type { LockSight } from './detector.ts';

/** Whether Redis stood still, or did not answer, in a part of this time: what its clients sent could not run. Ask for it last. */
export function stoodStillIn({ server, sourceEvents }: LockSight, from: RedisTime, to: RedisTime): boolean {
  const { unansweredSince: since, unansweredUntil: until, unansweredBefore = [] } = server ?? {};
  if (since !== undefined && since < to && (until === undefined || until > from)) return true;
  if (unansweredBefore.some((before) => before.since < to && before.until > from)) return true;
  return sourceEvents.some((event) => event.type === 'server.stood-still' && event.to > from && event.from < to);
}

/** INFO is read every 2 s: a pause may have begun that much earlier than it was seen. */
const SEEN_LATE_MS = 3000;

/**
 * Whether clients wait for Redis and not for a lock since then, because of a CLIENT PAUSE: a thread that was woken cannot attempt, a
 * watchdog cannot renew, and a holder cannot unlock. Ask for it last, when there is something to report.
 */
export function isOfPause({ server }: LockSight, from: RedisTime): boolean {
  return server?.pausedSince !== undefined && plusMillis(from, SEEN_LATE_MS) >= server.pausedSince;
}
