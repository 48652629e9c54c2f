import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf, UnseenReason } from '../../insight.ts';
import { isOfPause, stoodStillIn } from '../../standstills.ts';
import { aftermathOf, LOST_WITHIN_MS, mayBeOfLaterTry } from './overlap.ts';
import { type ExpiredHold, expiredHolds, hasComeBack, isRepeated } from './watchdog-hold.ts';

type Incident = 'watchdog-starved';

/**
 * The watchdog of a client came too late: the lease it had renewed before expired, and then its renewal arrived and
 * found no lock. So the timer of the watchdog still runs, and something delayed it: a pause of the process, or of its
 * connection. Three cases are only hints:
 *
 * - An unlock arrives instead of the renewal, so the watchdog may have stopped.
 * - No renewal was seen before, so the application may have set the lease.
 * - The thread has sent nothing about this lock since, and its client is connected: it may have stopped renewing for
 *   another reason.
 *
 * Without commands, a late renewal is not seen. That is a hint if the client is connected, or acquired or renewed the
 * lock later.
 */
export const watchdogStarved: LockDetector<Incident> = {
  incident: 'watchdog-starved',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  needs: ['presence'],
  concerns: ({ library }) => library === 'redisson',
  wants: {
    types: ['lease.expired', 'server.stood-still', 'server.refused', 'blind-spot.ended'],
    beside: [
      'lock.acquired',
      'lock.found',
      'lease.renewed',
      'lease.shortened',
      'renewal.refused',
      'unlock.refused',
      'renewal.not-run',
    ],
    withinMs: LOST_WITHIN_MS,
  },
  detect(sight) {
    const { lock, lockId, watched, events, clientOf: sightOf } = sight;
    const findings: FindingOf<Incident>[] = [];
    let unseen: UnseenReason | undefined;
    for (const hold of expiredHolds(events)) {
      const { holder, began, ended } = hold;
      const last = hold.renewals.at(-1);
      if (isRepeated(hold)) continue;
      const next = events.find((event) => event.seq > ended.seq && 'holder' in event && event.holder === holder);
      const late = next?.type === 'renewal.refused' && next.reason !== 'error' ? next : null;
      const unlocked = next?.type === 'unlock.refused' && next.reason === 'expired' ? next : null;
      if (last ? last.cause !== 'watchdog' : !late || wasNotRun(hold, events)) continue;
      if (unlocked && mayBeOfLaterTry(unlocked, ended.at, sight)) continue;
      if (!next && lock.waiters.some(({ id }) => id === holder)) continue; // the thread attempted the lock again
      const noticed = late ?? unlocked;
      const { presence } = sightOf(clientOf(holder));
      const isThere = presence === 'connected' || presence === 'idle';
      const areCommandsSeen = watched.level === 'monitor' && watched.watchedSince <= ended.at;
      const isSilent = areCommandsSeen
        ? next === undefined
        : (next === undefined || next.type === 'lock.acquired') && ended.certainty === 'observed';
      const isAlive = isThere || (!areCommandsSeen && hasComeBack(hold, events));
      if (!areCommandsSeen && presence !== 'gone') unseen = presence === 'unknown' ? 'presence' : 'level';
      if ((!noticed && !(isSilent && isAlive)) || isOfServer(last ?? began, noticed ?? ended, sight)) continue;
      if (isOfPause(sight, noticed?.at ?? ended.at)) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(ended, holder, events);
      const endedAt = ended.expiresAt ?? ended.at;
      findings.push({
        incident: 'watchdog-starved',
        ...ratingOf({ isNoticed: noticed !== null, isSure: late !== null && last !== undefined }, takenBy !== null),
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: late?.at ?? noticedAt,
        selfHealsAt: null,
        events: [began.seq, ...(last ? [last.seq] : []), ended.seq, ...(late ? [late.seq] : []), ...seqs],
        values: {
          ...{ holder, renewedAt: last?.at ?? null, endedAt, areCommandsSeen, takenBy, takenAt },
          ...{ lateAt: late?.at ?? null, unlockedAt: unlocked?.at ?? null },
        },
      });
    }
    return findings.length === 0 && unseen ? unseen : findings;
  },
};

/** `isNoticed`: a refusal shows that the client continued. `isSure`: a refusal shows that its watchdog did, too. */
function ratingOf(
  { isNoticed, isSure }: { readonly isNoticed: boolean; readonly isSure: boolean },
  isTaken: boolean,
): Pick<FindingOf<Incident>, 'severity' | 'confidence'> {
  if (!isNoticed) return { severity: isTaken ? 'warning' : 'hint', confidence: 'hint' };
  return { severity: isTaken ? 'critical' : 'warning', confidence: isSure ? 'likely' : 'hint' };
}

/** Whether Redis did not run a renewal of this hold: `renewal-broken-after-error` reports that. */
function wasNotRun({ holder, began, ended }: ExpiredHold, events: readonly LockEvent[]): boolean {
  return events.some(
    ({ type, seq, ...event }) =>
      type === 'renewal.not-run' && seq > began.seq && seq < ended.seq && 'holder' in event && event.holder === holder,
  );
}

/** Whether Redis itself did not answer, or refused commands, after the lease was last set. */
function isOfServer(last: Pick<LockEvent, 'at'>, end: LockEvent, sight: LockSight): boolean {
  const isRefused = (event: LockEvent) => event.type === 'server.refused' && event.at > last.at && event.since < end.at;
  return stoodStillIn(sight, last.at, end.at) || sight.sourceEvents.some(isRefused);
}
