import { type Millis, plusMillis } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { Confidence, FindingOf } from '../../insight.ts';
import { cutOf, isOwnToken, wasHeardBefore } from './cut-lease.ts';
import { AFTER_A_LOSS, aftermathOf, endOfBelief, LOST_WITHIN_MS, losersOf, mayBeOfLaterTry } from './overlap.ts';

type Incident = 'operator-delete-or-flush';

/** No other thread acquired the lock in time. */
const NOT_TAKEN = { takenBy: null, takenAt: null };

/** If a second RENAME restores the key at once, a read finds the key within this time. */
const RETURNS_WITHIN: Millis = 200;

/**
 * A plain command removed a held lock, or set an earlier end of its lease, and no message was published. If a former
 * holder deleted the next holder's lock, `foreign-delete` explains it. The waiters are reported by `silent-release`.
 * Removing the lock of a client that is gone is right, so it is not reported.
 *
 * Without commands, only the deletion is seen, and that no message came: whenever Redisson releases a lock with a
 * channel for all its waiters, it sends a message.
 */
export const operatorDelete: LockDetector<Incident> = {
  incident: 'operator-delete-or-flush',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  wants: {
    types: ['lock.deleted', 'db.flushed', 'lease.expired', 'blind-spot.ended'],
    beside: [
      ...AFTER_A_LOSS,
      ...(['lock.reentered', 'lease.renewed', 'lease.shortened', 'renewal.refused'] as const),
      ...(['lock.refused', 'waiter.dequeued'] as const),
    ],
    withinMs: LOST_WITHIN_MS,
  },
  detect(sight) {
    const { lock, lockId, watched, events, hasCome, clientOf: sightOf } = sight;
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      const [holder = null] = losersOf(event);
      const refused = holder === null ? refusedBefore(event, events, lock) : null;
      if (holder === null && !refused) continue;
      const how = isRemoval(event)
        ? (byCommand(event) ?? (watched.level === 'monitor' ? undefined : removalWithoutMessage(event, lock)))
        : holder !== null && byShorterLease(event, holder, sight);
      if (!how) continue;
      const goneSince = holder === null ? null : sightOf(clientOf(holder)).goneSince;
      if (goneSince !== null && goneSince <= event.at) continue;
      const { noticedAt, isBack, seqs, ...after } = aftermathOf(event, holder ?? '', events);
      const believedTo = holder === null || noticedAt !== null ? null : endOfBelief(event, holder, sight);
      const isTooLate = believedTo !== null && after.takenAt !== null && after.takenAt >= believedTo;
      const { takenBy, takenAt } = isTooLate ? NOT_TAKEN : after;
      if (isBack || (how.command === 'RENAME' && !hasCome(plusMillis(event.at, RETURNS_WITHIN)))) continue;
      if (
        holder !== null &&
        isRemoval(event) &&
        mayBeItsRelease(event, lock) &&
        !events.some((each) => isNoticed(each, event, holder, sight))
      )
        continue;
      findings.push({
        incident: 'operator-delete-or-flush',
        severity: takenBy === null || how.address === null ? 'warning' : 'critical',
        confidence: confidenceOf(event, how),
        lockId,
        holders: [holder, takenBy].filter((each) => each !== null),
        from: event.at,
        to: noticedAt ?? believedTo,
        selfHealsAt: null,
        events: [...(refused ? [refused.seq] : []), ...how.seqs, event.seq, ...seqs],
        values: {
          holder,
          refusedAt: refused?.at ?? null,
          at: event.at,
          ...{ command: how.command, address: how.address, shortenedAt: how.shortenedAt },
          takenBy,
          takenAt,
          isEmptied: event.type === 'db.flushed' && how.command === null,
          isRedisson: lock.library === 'redisson',
        },
      });
    }
    return findings.length === 0 && watched.level !== 'monitor' ? 'level' : findings;
  },
};

/**
 * The refusal that shows that a removed lock was held, although its holder was not seen: the refused thread slept on.
 * Its own timer would have ended with the lease. Null: there is none. Only hashes of Redisson are known to be never
 * released by a plain command, so others are left out.
 */
function refusedBefore(removal: LockEvent, events: readonly LockEvent[], lock: LockState): LockEvent | null {
  if (!isRemoval(removal) || removal.certainty !== 'inferred' || lock.library !== 'redisson') return null;
  if (KINDS[lock.kind].ownKey !== 'hash') return null;
  const left = new Set<string>();
  for (const event of events.filter(({ seq }) => seq < removal.seq).toReversed()) {
    if (event.type === 'lock.acquired' || isRemoval(event)) return null;
    if (event.type === 'waiter.dequeued') left.add(event.holder);
    else if (event.type === 'lock.refused' && event.asleep && !left.has(event.holder)) return event;
  }
  return null;
}

/**
 * Whether a deletion may be the release of the lock. An application's own lock may be released by a plain command on
 * any connection, or by another process on purpose: one process acquires the lock of a job, another one deletes it
 * after the job. If holders were seen to release the lock themselves, a deletion is a loss. The exception is a key that
 * neither has the name of a lock nor was ever waited for: it may be a cache, in which clients delete each other's
 * values.
 */
function mayBeItsRelease({ type }: Removal, lock: LockState): boolean {
  const isOwn = isOwnToken(lock) || lock.library === 'unknown';
  return type === 'lock.deleted' && isOwn && (lock.notes?.recentHolds === undefined || mayBeCache(lock));
}

function mayBeCache({ evidence }: LockState): boolean {
  return evidence?.some((sign) => sign === 'name' || sign === 'retried') === false;
}

/** Whether an event shows that the holder still needed the lock after it was removed. */
function isNoticed(event: LockEvent, removed: LockEvent, holder: string, sight: LockSight): boolean {
  if (event.type !== 'unlock.refused' && event.type !== 'renewal.refused') return false;
  if (event.holder !== holder || event.seq < removed.seq) return false;
  return event.type === 'renewal.refused' || !mayBeOfLaterTry(event, removed.at, sight);
}

type How = Pick<FindingOf<Incident>['values'], 'command' | 'address' | 'shortenedAt'> & {
  readonly seqs: readonly number[];
};
type Removal = LockEvent & DetailOf<'lock.deleted' | 'db.flushed'>;

function isRemoval(event: LockEvent): event is Removal {
  return event.type === 'lock.deleted' || event.type === 'db.flushed';
}

/** The plain command that removed the lock: RENAME, MOVE and SET take it from its holder as DEL does. */
function byCommand({ command, by, late }: Removal): How | undefined {
  if (command === undefined || by === undefined || late !== undefined) return undefined;
  return { command, address: by, shortenedAt: null, seqs: [] };
}

/** A plain command, for example EXPIRE, set an earlier end of the lease, and at that end the lock was lost. */
function byShorterLease(event: LockEvent, holder: string, sight: LockSight): How | undefined {
  const { lock, events } = sight;
  const cut = event.type === 'lease.expired' ? cutOf(event, holder, events, lock) : undefined;
  if (cut?.by === undefined || !wasHeardBefore(cut, holder, events)) return undefined;
  // an application may let its own lock end soon, by another connection of its pool, instead of a release
  if (isOwnToken(lock) && !events.some((each) => isNoticed(each, event, holder, sight))) return undefined;
  return { command: null, address: cut.by, shortenedAt: cut.at, seqs: [cut.seq] };
}

function confidenceOf(event: LockEvent, { address, shortenedAt }: How): Confidence {
  if (address === null) return event.type === 'db.flushed' ? 'likely' : 'hint';
  return event.certainty === 'observed' && shortenedAt === null ? 'certain' : 'likely';
}

/**
 * A removal whose command was not seen. Either a key event showed the deletion of a lock whose releases send a message
 * to one channel, and no message came; or all keys of the database are gone.
 */
function removalWithoutMessage({ type, command }: Removal, { library, kind }: LockState): How | undefined {
  if (type === 'db.flushed') return UNSEEN;
  const isDeletion = type === 'lock.deleted' && command === undefined;
  if (!isDeletion || library !== 'redisson' || KINDS[kind].wakeUp !== 'channel') return undefined;
  return UNSEEN;
}

const UNSEEN: How = { command: null, address: null, shortenedAt: null, seqs: [] };
