import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import type { LockSight } from './detector.ts';
import { SETTLE_MS } from './pass/counted-until.ts';

/**
 * Whether Redis did not run commands in a part of this time, so that its clients could do nothing. Call it last: it
 * makes the answer depend on the whole source.
 */
export function stoodStillIn(sight: LockSight, from: RedisTime, to: RedisTime): boolean {
  return standstillsOf(sight).some((still) => still.from < to && still.to > from);
}

/**
 * For how long clients may have waited in this time because Redis did not run commands. The 3 s after each standstill
 * count as well. Call it last, as `stoodStillIn`.
 */
export function heldUpMs(sight: LockSight, from: RedisTime, to: RedisTime): Millis {
  let [heldUp, counted] = [0, from];
  for (const still of standstillsOf(sight).sort((a, b) => a.from - b.from)) {
    const begin = Math.max(still.from, counted);
    const end = Math.min(plusMillis(still.to, SETTLE_MS), to);
    if (end <= begin) continue;
    heldUp += millisBetween(redisTime(begin), redisTime(end));
    counted = redisTime(end);
  }
  return heldUp;
}

type Standstill = { readonly from: RedisTime; readonly to: RedisTime };

function standstillsOf({ server, sourceEvents }: LockSight): Standstill[] {
  const { unansweredSince: from, unansweredUntil: to = FOREVER, unansweredBefore = [] } = server ?? {};
  return [
    ...unansweredBefore.map(({ since, until }) => ({ from: since, to: until })),
    ...(from === undefined ? [] : [{ from, to }]),
    ...sourceEvents.filter((event) => event.type === 'server.stood-still'),
  ];
}

const FOREVER = redisTime(Number.POSITIVE_INFINITY);

/** INFO is read every 2 s: a pause may have begun up to this much earlier than it was seen. */
const SEEN_LATE_MS = 3000;

/**
 * Whether a CLIENT PAUSE blocks clients now, and may have begun at `from` or before. If so, clients wait for Redis and
 * not for a lock: a thread that was woken cannot attempt, a watchdog cannot renew, and a holder cannot unlock. Call it
 * last, when there is something to report.
 */
export function isOfPause({ server }: LockSight, from: RedisTime): boolean {
  return server?.pausedSince !== undefined && plusMillis(from, SEEN_LATE_MS) >= server.pausedSince;
}
