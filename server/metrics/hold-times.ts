import { type Millis, millisBetween, type RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { HoldMode } from '../../shared/events/types/hold-event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';

/**
 * How a hold ended. `removed`: force-released, deleted, evicted or flushed. `unknown`: it ended, but it was not seen
 * how.
 */
export type HoldEnd = 'released' | 'expired' | 'removed' | 'unknown';

/**
 * The event at which the remaining share of a lease is measured: a release, an end of which it was not seen how, or a
 * renewal.
 */
type LeaseUse = 'release' | 'end' | 'renewal';

/** Receives the facts at the event that ends a hold, or sets its lease again. */
export type HoldListener = {
  /** A hold ended whose beginning was seen. */
  ended(event: LockEvent, end: HoldEnd, heldMs: Millis): void;
  /** How much of the lease was left at the event, from 0 to 1. */
  leaseLeft(event: LockEvent, at: LeaseUse, share: number): void;
};

type OpenHold = { readonly since: RedisTime | null; lease: Lease | undefined };
type Lease = { readonly setAt: RedisTime; readonly ms: Millis };
type LeaseSet = { readonly at: RedisTime; readonly leaseMs?: Millis; readonly expiresAt?: RedisTime | null };

/** How many holds of one lock are followed: readers, or permits. Further ones are left out. */
const MOST_HOLDS = 1000;

/**
 * Follows the holds of all locks, to know how long each lasted:
 *
 *   event   acquired   renewed   released
 *   hold    [=============================]   ended: 16 s
 *   lease   [30 s ·····[30 s ······┊          left: 2/3 at the renewal, 4/5 at the release
 *
 * A hold whose beginning or end was not seen is left out. It keeps only holds of locks in memory: the caller reports
 * the locks that were dropped.
 */
export class HoldTimes {
  readonly #listener: HoldListener;
  /** By source, lock, and holder with its mode, or permit. */
  readonly #open = new Map<string, Map<string, Map<string, OpenHold>>>();

  constructor(listener: HoldListener) {
    this.#listener = listener;
  }

  take(event: LockEvent): void {
    switch (event.type) {
      case 'lock.acquired':
        return this.#begin(
          event,
          keyOf(event.holder, event.mode),
          leaseOf(event),
          event.isOlder ? undefined : event.at,
        );
      case 'lock.reentered':
      case 'lock.partially-released':
        return this.#begin(event, keyOf(event.holder, event.mode), leaseOf(event));
      case 'lease.renewed':
      case 'lease.shortened': {
        if (event.holder === undefined) {
          for (const hold of this.#holdsOf(event).values()) hold.lease = leaseOf(event);
          return;
        }
        const key = keyOf(event.holder, event.mode);
        if (event.type === 'lease.renewed') this.#leaseLeft(event, key, 'renewal');
        return this.#begin(event, key, leaseOf(event));
      }
      case 'lock.released': {
        const key = keyOf(event.holder, event.mode);
        const isKnown = event.how === undefined;
        this.#leaseLeft(event, key, isKnown ? 'release' : 'end');
        return this.#end(event, key, isKnown ? 'released' : 'unknown');
      }
      case 'lease.expired':
        if (event.holder !== undefined) return this.#end(event, keyOf(event.holder, event.mode), 'expired');
        return this.#endAll(event, 'expired');
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
      case 'db.flushed':
        return this.#endAll(event, 'removed');
      case 'permits.acquired':
        for (const id of event.permitIds ?? []) this.#begin(event, id, leaseOf(event), event.at);
        return;
      case 'permits.renewed':
        for (const id of event.permitIds) this.#begin(event, id, leaseOf(event));
        return;
      case 'permits.released':
      case 'permits.expired':
        for (const id of event.permitIds ?? []) {
          if (event.type === 'permits.released') this.#leaseLeft(event, id, 'release');
          this.#end(event, id, event.type === 'permits.released' ? 'released' : 'expired');
        }
        return;
      case 'lock.lost':
        return void this.#holdsOf(event).delete(keyOf(event.holder, event.mode));
      case 'lock.moved':
        return this.forgetLock(event.source, lockIdOf(event));
      case 'drift.healed': {
        if (event.found?.value !== undefined) return; // a number does not show whose permits it counts
        const still = new Set(event.found?.holders.map(({ holder, mode }) => keyOf(holder, mode)));
        const holds = this.#holdsOf(event);
        for (const key of [...holds.keys()]) if (!still.has(key)) holds.delete(key);
        return;
      }
      case 'blind-spot.began':
        return this.forgetSource(event.source);
      default: // the other events change no hold
    }
  }

  /** Forgets the holds of a lock that was dropped from memory. */
  forgetLock(source: string, id: string): void {
    this.#open.get(source)?.delete(id);
  }

  /** Forgets the holds of a source whose events may be incomplete from now on. */
  forgetSource(source: string): void {
    this.#open.delete(source);
  }

  /** How many holds are followed. */
  get size(): number {
    let size = 0;
    for (const locks of this.#open.values()) for (const holds of locks.values()) size += holds.size;
    return size;
  }

  #holdsOf(event: LockEvent): Map<string, OpenHold> {
    return this.#open.get(event.source)?.get(lockIdOf(event)) ?? new Map();
  }

  /** Sets the lease of a hold. If the hold is new and `since` is left out, its length is unknown. */
  #begin(event: LockEvent, key: string, lease: Lease | undefined, since: RedisTime | null = null): void {
    const holds = this.#holdsOf(event);
    const known = holds.get(key);
    if (known) known.lease = lease;
    if (known || holds.size >= MOST_HOLDS) return;
    holds.set(key, { since, lease });
    const locks = this.#open.get(event.source) ?? new Map<string, Map<string, OpenHold>>();
    locks.set(lockIdOf(event), holds);
    this.#open.set(event.source, locks);
  }

  #leaseLeft(event: LockEvent, key: string, at: LeaseUse): void {
    const lease = this.#holdsOf(event).get(key)?.lease;
    if (!lease) return;
    const passed = millisBetween(lease.setAt, event.at) / lease.ms;
    this.#listener.leaseLeft(event, at, 1 - Math.min(1, Math.max(0, passed)));
  }

  #end(event: LockEvent, key: string, end: HoldEnd): void {
    const holds = this.#holdsOf(event);
    const hold = holds.get(key);
    if (!hold) return;
    holds.delete(key);
    if (holds.size === 0) this.forgetLock(event.source, lockIdOf(event));
    // An inferred event may be dated before the beginning, by less than a millisecond.
    if (hold.since !== null) this.#listener.ended(event, end, Math.max(0, millisBetween(hold.since, event.at)));
  }

  #endAll(event: LockEvent, end: HoldEnd): void {
    for (const key of [...this.#holdsOf(event).keys()]) this.#end(event, key, end);
  }
}

/** The lease that an event sets; undefined: the event sets no lease, or the lease is not known. */
function leaseOf({ at, leaseMs, expiresAt }: LeaseSet): Lease | undefined {
  const ms = leaseMs ?? (typeof expiresAt === 'number' ? millisBetween(at, expiresAt) : 0);
  return ms > 0 ? { setAt: at, ms } : undefined;
}

/** A holder may hold a read-write lock twice: for writing, and for reading. */
function keyOf(holder: string, mode: HoldMode | undefined): string {
  return mode === 'write' ? `${holder} write` : holder;
}
