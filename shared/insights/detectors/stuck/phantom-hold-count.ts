import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import { rankOf } from '../../../events/libraries/script-versions.ts';
import { clientOf } from '../../../events/names/names.ts';
import { endsByItself } from '../../../state/hold-end.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { Confidence } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { watchdogStoppedAfter } from '../../renewals.ts';

type Incident = 'phantom-hold-count';

/** A client that waits for an answer cannot attempt again this soon: both requests were already sent. */
const TOO_SOON_MS: Millis = 0.1;
/** Right after a standstill, the server runs everything that had arrived, so both requests run this close together. */
const AT_ONCE_MS: Millis = 1;
/** A standstill matters if the first run came this soon after it. */
const AFTER_STANDSTILL: Millis = 500;
const WITHIN_MS: Millis = 10 * 60_000;
/** Two unlocks of one caller may be under way together, so a count that is left counts only after this time. */
const BRIEF: Millis = 1000;
/**
 * A client sends an attempt again after its time-out and a pause, which together last at least and at most this long.
 */
const SHORTEST_RETRY: Millis = 500;
const LONGEST_RETRY: Millis = 60_000;
/**
 * Releases after this one lose the renewal of a re-entered hold, so for them a watchdog that stopped shows nothing.
 * (Clients of a single server repeat attempts only up to 3.36.0, clients with replicas also in later releases.)
 */
const LAST_WITH_RETRY = rankOf('3.43.0');

/**
 * An attempt ran twice, since its answer was late, and the second run counted as a re-entry: one unlock leaves a count.
 * The finding is likely in two cases:
 *
 * - Both runs are so close together that the client cannot have had an answer in between.
 * - They are as far apart as a repeated attempt, by a release that repeats attempts, and a renewal is missing.
 *
 * Without commands, it is a hint once no watchdog renews. It is never certain, because two jobs that use one thread id
 * and lock at the same time look the same.
 */
export const phantomHoldCount: LockDetector<Incident> = {
  incident: 'phantom-hold-count',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  wants: { types: ['server.stood-still'], beside: [], withinMs: WITHIN_MS },
  concerns: ({ holders }) => holders.some(({ mode }) => mode !== 'permit'),
  detect(sight) {
    const { lock, lockId } = sight;
    for (const holder of lock.holders) {
      const { since, reentries, holdCount } = holder;
      const leftAt = reentries?.leftAt;
      const confidence = confidenceOf(sight, holder);
      if (!confidence || since === null || !reentries || leftAt === undefined) continue;
      const endsAt = endsByItself(lock, holder);
      return [
        {
          incident: 'phantom-hold-count',
          severity: 'warning',
          confidence,
          lockId,
          holders: [holder.id],
          from: leftAt,
          to: null,
          selfHealsAt: endsAt,
          events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
          values: {
            ...{ holder: holder.id, acquiredAt: since, countedAt: reentries.firstAt, leftAt, endsAt },
            count: holdCount ?? 1,
            apartMs: millisBetween(since, reentries.firstAt),
            waiting: waitingFor(lock),
          },
        },
      ];
    }
    // without commands, a second run right after the first one is not seen
    return sight.watched.level === 'monitor' ? [] : 'level';
  },
};

/** How certain it is that the count left on this hold is one too high; undefined: nothing shows that. */
function confidenceOf(sight: LockSight, holder: HolderState): Confidence | undefined {
  const { lock, watched, isPast, clientOf: sightOf } = sight;
  const { since, reentries, mode } = holder;
  if (since === null || !reentries || !isLeft(holder, sight) || mode === 'permit') return undefined;
  const apart = millisBetween(since, reentries.firstAt);
  const stopped = lock.leaseMs === DEFAULT_WATCHDOG_MS ? watchdogStoppedAfter(lock, holder) : null;
  const isStopped = stopped !== null && isPast(stopped);
  // without commands the two runs have no times of their own
  if (watched.level !== 'monitor') return isStopped ? 'hint' : undefined;
  const stoodStill = standstillBefore(sight, since);
  if (apart < TOO_SOON_MS || (apart < AT_ONCE_MS && stoodStill > 0)) return 'likely';
  // the first request may have waited while the server did not answer
  const isRetry = apart + stoodStill >= SHORTEST_RETRY && apart <= LONGEST_RETRY && isOld(lock);
  const isAlive = sightOf(clientOf(holder.id)).presence === 'connected';
  return isRetry && isAlive && isStopped ? 'likely' : undefined;
}

/** The length of a standstill of the server that ended just before `at`; 0: there was none. */
function standstillBefore({ sourceEvents }: LockSight, at: RedisTime): Millis {
  for (const event of sourceEvents) {
    if (event.type !== 'server.stood-still') continue;
    const isJustBefore = event.to <= plusMillis(at, 1) && plusMillis(event.to, AFTER_STANDSTILL) > at;
    if (isJustBefore) return millisBetween(event.from, event.to);
  }
  return 0;
}

/** Whether one re-entry was followed by one unlock, which left a count, and then by nothing. */
function isLeft({ reentries, holdCount, lastRenewedAt }: HolderState, { hasCome }: LockSight): boolean {
  const leftAt = reentries?.leftAt;
  if (leftAt === undefined || reentries?.rises !== 1 || holdCount !== 1 || !hasCome(plusMillis(leftAt, BRIEF)))
    return false;
  return reentries.lastAt === reentries.firstAt && (lastRenewedAt === null || lastRenewedAt < leftAt);
}

/** Whether the scripts that the client sent show that its version is not newer than `LAST_WITH_RETRY`. */
function isOld({ clientVersion }: LockState): boolean {
  const last = clientVersion?.split('–').at(-1);
  return last !== undefined && rankOf(last) <= LAST_WITH_RETRY;
}
