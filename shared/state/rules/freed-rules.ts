import { millisBetween } from '../../base/time.ts';
import { STILL_MS } from '../../events/apply/reads/still-listened.ts';
import type { EventType, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { type Changes, freedWith, lockWith } from '../copies.ts';
import type { Freed, LockState } from '../lock-state.ts';

/**
 * If the key of a lock is a hash, notes how it became free, and the message that should wake its waiters. The note is
 * removed when the lock is held again, or when no waiter and no listener is left. The note of a loss, or of an inferred
 * release, stays until the next hold.
 *
 *   held ──► free ………… message ………… SUBSCRIBE without an attempt ………… acquired
 *            at        message       resubscribed
 */
export function withFreed(before: LockState, after: LockState, event: LockEvent): LockState {
  const lock = withHolderUnseen(withDowngrade(after, event), event);
  const wasHeld = hasHolders(before) || (before.holderUnseen !== undefined && !lock.holderUnseen);
  const by = wasHeld ? event.type : lock.freed?.by;
  const isInferred = wasHeld ? by === 'lock.released' && event.certainty === 'inferred' : lock.freed?.isInferred;
  if (hasHolders(lock) || !by || !(isInferred || isWanted(lock, by)) || KINDS[lock.kind].ownKey !== 'hash') {
    return withoutFreed(lock);
  }
  if (wasHeld) {
    const end = before.expiresAt === null ? undefined : { leaseEnd: before.expiresAt };
    const how = isInferred ? ({ isInferred } as const) : undefined;
    return lockWith(lock, { freed: freedWith({ at: event.at, seq: event.seq, by }, end, how) });
  }
  const freed = lock.freed && noted(lock, lock.freed, event);
  return !freed || freed === lock.freed ? lock : lockWith(lock, { freed });
}

/**
 * Notes a refused attempt at a lock whose holder was not seen, as in a MONITOR text that begins while the lock is held:
 * the refusal shows that there is a holder. At a token lock, any value in its key refuses attempts. A lock with a queue
 * is left out, because it also refuses attempts while it is free. The note is removed when a holder, or the end of its
 * hold, is seen.
 */
function withHolderUnseen(lock: LockState, event: LockEvent): LockState {
  const { ownKey, hasQueue } = KINDS[lock.kind];
  const { at, seq } = event;
  if (hasHolders(lock) || isEnd(event)) return lock.holderUnseen ? lockWith(lock, { holderUnseen: undefined }) : lock;
  const isRefused = event.type === 'lock.refused' && event.reason === 'held' && ownKey !== 'number' && !hasQueue;
  return isRefused ? lockWith(lock, { holderUnseen: { at, seq, ...lock.holderUnseen, lastAt: at } }) : lock;
}

function noted(lock: LockState, freed: Freed, event: LockEvent): Freed {
  const { at, seq } = event;
  if (event.type === 'wakeup.published') {
    const to = event.holder === undefined ? undefined : { to: event.holder };
    return freedWith(freed, { message: { at, seq, ...to }, ...NOTHING_SINCE });
  }
  if (event.type === 'lock.refused') return freedWith(freed, { triedAt: at });
  if (freed.isInferred && (event.type === 'waiter.subscribed' || event.type === 'waiter.unsubscribed')) {
    const isStill = event.subscribers > 0 && millisBetween(freed.message?.at ?? freed.at, at) >= STILL_MS;
    return freedWith(freed, { listened: isStill ? { at, seq } : undefined });
  }
  if (event.type === 'waiter.subscribed' && freed.message && !lock.waiters.some(isNew)) {
    return freed.resubscribed ? freed : freedWith(freed, { resubscribed: { at, seq } });
  }
  return freed;
}

const NOTHING_SINCE: Changes<Freed> = { resubscribed: undefined, triedAt: undefined, listened: undefined };

/** Whether a waiter was refused once and does not sleep yet, so that it may be the reason for a SUBSCRIBE. */
function isNew({ attempts, isAsleep }: LockState['waiters'][number]): boolean {
  return attempts === 1 && !isAsleep;
}

/**
 * Notes a writer that goes on as a reader: it sends no message, although the readers that wait could read now. The note
 * is removed when a writer holds the lock, the lock is free, or no reader sleeps.
 */
function withDowngrade(lock: LockState, event: LockEvent): LockState {
  if (event.type === 'lock.released' && event.isDowngrade) {
    const { at, seq, holder } = event;
    return lock.waiters.some(isSleepingReader) ? lockWith(lock, { downgraded: { at, seq, holder } }) : lock;
  }
  if (lock.downgraded === undefined) return lock;
  const isReadable = lock.holders.length > 0 && lock.holders.every(({ mode }) => mode === 'read');
  if (isReadable && lock.waiters.some(isSleepingReader)) return lock;
  return lockWith(lock, { downgraded: undefined });
}

function isSleepingReader({ mode, isAsleep }: LockState['waiters'][number]): boolean {
  return mode === 'read' && isAsleep;
}

/**
 * Whether it matters how the lock became free: the lock has waiters or listeners, or its key was lost. A loss always
 * matters, because without commands only the number of listeners shows waiters, and that number is read later.
 */
function isWanted({ waiters, subscribers }: LockState, by: EventType): boolean {
  return waiters.length > 0 || (subscribers ?? 0) > 0 || LOSSES.has(by);
}

const LOSSES: ReadonlySet<EventType> = new Set<EventType>(['lock.deleted', 'lock.evicted', 'db.flushed']);

/** Whether the event shows that a holder that was not seen is gone. */
function isEnd(event: LockEvent): boolean {
  if (event.type === 'unlock.refused') return event.reason === 'no-lock' && event.certainty === 'observed';
  return ENDS.has(event.type);
}

const ENDS: ReadonlySet<EventType> = new Set<EventType>([
  ...LOSSES,
  'lock.released',
  'lock.force-released',
  'lease.expired',
  'lock.lost',
  'lock.moved',
  'drift.healed',
]);

function hasHolders({ holders, holdersBeyond }: LockState): boolean {
  return holders.length + holdersBeyond > 0;
}

function withoutFreed(lock: LockState): LockState {
  return lock.freed === undefined ? lock : lockWith(lock, { freed: undefined });
}
