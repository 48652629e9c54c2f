import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { EventType, LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

type Incident = 'unlock-by-non-owner';

/** Refused unlocks are reported for this long, and a loss explains an unlock for this long. */
const WITHIN_MS = 10 * 60_000;
/** How many events of one finding are listed: the newest. */
const MOST_EVENTS = 20;

/**
 * Events that end a hold without its holder. The holder may unlock later, thinking it still holds the lock: that is
 * another incident.
 */
const LOSSES = [
  ...(['lock.deleted', 'lock.force-released', 'lock.evicted', 'db.flushed', 'lock.lost', 'lease.expired'] as const),
] satisfies readonly EventType[];

/**
 * A thread tried to unlock a lock that another thread held, and was not seen to lose a hold before. A RedLock unlocks
 * members that it never held: that is normal and is left out. One finding for each thread. If the client got an error
 * or no answer, `unlock-replayed` or an incident of the server explains the unlock.
 */
export const unlockByNonOwner: LockDetector<Incident> = {
  incident: 'unlock-by-non-owner',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['unlock.refused', 'unlock.unanswered'], beside: LOSSES, withinMs: 2 * WITHIN_MS },
  detect(sight) {
    const { lock, lockId, events } = sight;
    const tries = new Map<string, Refused[]>();
    const lostAt = new Map<string, RedisTime>();
    for (const event of events) {
      for (const loser of losersOf(event)) lostAt.set(loser, event.at);
      if (event.type !== 'unlock.refused' || event.reason !== 'not-owner' || event.groupStep !== undefined) continue;
      if (event.certainty === 'inferred') continue; // the holder was not known then
      const from = plusMillis(event.at, -WITHIN_MS);
      if (!sight.goBackTo(from) || (lostAt.get(event.holder) ?? 0) >= from || answerTo(event, sight) === 'none')
        continue;
      tries.set(event.holder, [...(tries.get(event.holder) ?? []), event]);
    }
    const heldBy = lock.holders[0]?.id ?? null;
    return [...tries].flatMap(([holder, refused]): FindingOf<Incident>[] => {
      const [first] = refused;
      const last = refused.at(-1);
      if (!first || !last) return [];
      return [
        {
          incident: 'unlock-by-non-owner',
          severity: 'warning',
          confidence: refused.some((event) => answerTo(event, sight) === 'given') ? 'certain' : 'likely',
          lockId,
          holders: [holder],
          from: first.at,
          to: last.at,
          selfHealsAt: null,
          events: refused.slice(-MOST_EVENTS).map(({ seq }) => seq),
          values: {
            ...{ holder, at: last.at, heldBy, times: refused.length, how: howOf(last) },
            ownerThen: last.heldBy ?? null,
            triedAt: last.triedAt ?? null,
            sawSuccess: refused.some(({ callerSawSuccess }) => callerSawSuccess),
          },
        },
      ];
    });
  },
};

type Refused = Extract<LockEvent, { type: 'unlock.refused' }>;

/** If a refused unlock got no answer, `unlock.unanswered` is reported up to this long after its `answerMs`. */
const LOOK_MS: Millis = 1000;

/**
 * Whether the caller got the refusal as its answer:
 *
 *   none      the client never deleted the latch, so an error cut off the script, or the answer was lost
 *   given     the event `unlock.unanswered` would have been reported by now
 *   unknown   the client has no latches, a blind spot followed, or it is too early
 */
function answerTo(refused: Refused, { events, watched, isPast }: LockSight): 'given' | 'none' | 'unknown' {
  const { at, holder, seq, answerMs } = refused;
  const isAbout = (event: LockEvent) =>
    event.type === 'unlock.unanswered' &&
    event.holder === holder &&
    (event.unlockedAt === at || event.because?.includes(seq));
  const isRepeat = (event: LockEvent) =>
    event.type === 'unlock.unanswered' &&
    event.repeat === 'refused' &&
    event.holder === holder &&
    event.seq === seq + 1;
  if (events.some((event) => isAbout(event) || isRepeat(event))) return 'none';
  if (answerMs === undefined || watched.watchedSince > at) return 'unknown';
  return isPast(plusMillis(at, answerMs + LOOK_MS)) ? 'given' : 'unknown';
}

/** Why the caller did not hold the lock. */
function howOf({ holder, heldBy, triedAt }: Refused): 'never-got-it' | 'other-thread' | 'other-client' {
  if (triedAt !== undefined) return 'never-got-it';
  return heldBy !== undefined && clientOf(heldBy) === clientOf(holder) ? 'other-thread' : 'other-client';
}

/** The holders that lost their hold by this event; of an unlock: none. */
function losersOf(event: LockEvent): readonly string[] {
  if (
    event.type === 'unlock.refused' ||
    event.type === 'unlock.unanswered' ||
    !('holder' in event) ||
    event.holder === undefined
  )
    return [];
  return 'holders' in event && event.holders ? event.holders.map(String) : [event.holder];
}
