import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { EventType, LockEvent } from '../../../events/event.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockSight } from '../../detector.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';

/** For how long a lost hold is reported. */
export const LOST_WITHIN_MS: Millis = 15 * 60_000;

/** The events that show what followed a loss. */
export const AFTER_A_LOSS = ['lock.acquired', 'lock.found', 'unlock.refused'] as const satisfies readonly EventType[];

/** What happened after a holder lost its hold. */
type Aftermath = {
  /** Another thread that acquired the lock before the former holder noticed the loss; null: none did. */
  readonly takenBy: string | null;
  readonly takenAt: RedisTime | null;
  /** When the former holder attempted the lock again, or its unlock was refused; null: not yet, as far as is known. */
  readonly noticedAt: RedisTime | null;
  /**
   * Before any thread acquired the lock, a read found the former holder again: RENAME or RESTORE brought the key back.
   */
  readonly isBack: boolean;
  /** `seq`s of these events. */
  readonly seqs: readonly number[];
};

/**
 * What the events of a lock show after `lost`, by which `holder` lost its hold. Beside a lost reader, other readers do
 * no harm.
 */
export function aftermathOf(lost: LockEvent, holder: string, events: readonly LockEvent[]): Aftermath {
  const later = events.filter(({ seq }) => seq > lost.seq);
  const mayShare = 'mode' in lost && lost.mode === 'read';
  const noticed = later.find((event) => NOTICED_BY.has(event.type) && 'holder' in event && event.holder === holder);
  const noticedAt = noticed ? backBy(noticed, lost.at) : null;
  const taken = later.find(
    (event) =>
      event.type === 'lock.acquired' &&
      event.holder !== holder &&
      !(mayShare && event.mode === 'read') &&
      event.seq < (noticed?.seq ?? Infinity) &&
      event.at <= (noticedAt ?? Infinity),
  );
  const back = later.find(({ type }) => type === 'lock.acquired' || type === 'lock.found');
  return {
    isBack: back?.type === 'lock.found' && back.holders.some((found) => found.holder === holder),
    takenBy: taken?.type === 'lock.acquired' ? taken.holder : null,
    takenAt: taken?.at ?? null,
    noticedAt,
    seqs: [taken, noticed].flatMap((event) => (event ? [event.seq] : [])),
  };
}

/** Events of a thread that used the lock again, and so may have noticed its loss. */
const NOTICED_BY: ReadonlySet<EventType> = new Set(['unlock.refused', 'lock.refused', 'lock.acquired']);

/**
 * When the thread of an event used the lock again after a loss: at its first attempt since, which may have been
 * refused. If there was no attempt before its unlock: at that unlock.
 */
function backBy(event: LockEvent, lostAt: RedisTime): RedisTime {
  if (event.type === 'unlock.refused')
    return event.backAt !== undefined && event.backAt > lostAt ? event.backAt : event.at;
  const waitedMs = event.type === 'lock.acquired' ? (event.waitedMs ?? 0) : 0;
  return redisTime(Math.max(lostAt, plusMillis(event.at, -waitedMs)));
}

/**
 * Whether a refused unlock may belong to a refused attempt after the loss, or to an attempt in a blind spot since then.
 * If so, it does not show that its thread worked on until now. A detector that calls this must want `blind-spot.ended`,
 * because `watchedSince` is only the end of the last blind spot.
 */
export function mayBeOfLaterTry(
  { at, backAt }: { readonly at: RedisTime; readonly backAt?: RedisTime },
  lostAt: RedisTime,
  sight: Pick<LockSight, 'watched' | 'sourceEvents'>,
): boolean {
  const isBetween = (time: RedisTime) => lostAt < time && time <= at;
  return (
    (backAt !== undefined && backAt > lostAt) ||
    isBetween(sight.watched.watchedSince) ||
    sight.sourceEvents.some((event) => event.type === 'blind-spot.ended' && isBetween(event.at))
  );
}

/**
 * Until when the former holder of a lock with a token could still think that it has the lock: its client ended, its
 * renewal was refused, or the lease that it had set was over. Null: it still can, that is not known, or the lock has no
 * token.
 */
export function endOfBelief(lost: LockEvent, holder: string, sight: LockSight): RedisTime | null {
  const { lock, events, hasCome, clientOf: sightOf } = sight;
  if (!isTokenKind(lock.kind)) return null;
  const { goneSince } = sightOf(clientOf(holder));
  if (goneSince !== null && goneSince > lost.at) return goneSince;
  const isRefused = (event: LockEvent) => event.type === 'renewal.refused' && event.holder === holder;
  const refused = events.find((event) => event.seq > lost.seq && isRefused(event));
  if (refused) return refused.at;
  const set = lastBefore(lost, events, ({ type }) => SETS_END.has(type));
  const end = set && 'expiresAt' in set ? set.expiresAt : undefined;
  return end != null && end > lost.at && hasCome(end) ? end : null;
}

const SETS_END: ReadonlySet<EventType> = new Set(['lock.acquired', 'lock.found', 'lease.renewed', 'lease.shortened']);

/** The holders that lost their hold by an event. */
export function losersOf(event: LockEvent): readonly string[] {
  if (!('holder' in event) || event.holder === undefined) return [];
  return 'holders' in event && event.holders ? event.holders : [event.holder];
}

/**
 * The last event before `seq` that `isMatch` accepts. `events`: oldest first. The place of `seq` is found by a binary
 * search: a lock may have thousands of events, and detectors call this function for many of them.
 */
export function lastBefore(
  { seq }: Pick<LockEvent, 'seq'>,
  events: readonly LockEvent[],
  isMatch: (event: LockEvent) => boolean,
): LockEvent | undefined {
  let place = 0;
  for (let end = events.length; place < end; ) {
    const middle = (place + end) >> 1;
    if ((events[middle]?.seq ?? seq) < seq) place = middle + 1;
    else end = middle;
  }
  while (place > 0) {
    const event = events[--place];
    if (event && isMatch(event)) return event;
  }
  return undefined;
}

/**
 * Whether events show that watchdogs of the clients of this lock set another lease: an acquisition with the default
 * lease, or a renewal by a watchdog. `isSame` compares leases; those that reads found differ a little.
 */
export function hasOtherWatchdog(
  leaseMs: Millis,
  events: readonly LockEvent[],
  isSame: (a: Millis, b: Millis) => boolean = Object.is,
): boolean {
  return events.some(
    (event) =>
      ((event.type === 'lock.acquired' && event.leaseMs !== undefined && isSame(event.leaseMs, DEFAULT_WATCHDOG_MS)) ||
        (event.type === 'lease.renewed' && event.cause === 'watchdog')) &&
      event.leaseMs !== undefined &&
      !isSame(event.leaseMs, leaseMs),
  );
}
