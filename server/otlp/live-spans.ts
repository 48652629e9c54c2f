import { isOfLock, type LockEvent } from '../../shared/events/event.ts';
import { lockIdOf, sourceInId } from '../../shared/state/lock-state.ts';
import type { Room, SpanListener } from './ended-span.ts';
import { LockFollower } from './lock-follower.ts';
import { Places } from './places.ts';
import type { LockPlace, SpanPlace } from './span-place.ts';

export type Limits = {
  /** Locks with an open hold or wait. */
  readonly locks: number;
  /** Open holds, and open waits, of one lock. */
  readonly perLock: number;
  /** Notes of all open spans together. */
  readonly notes: number;
};

const LIMITS: Limits = { locks: 20_000, perLock: 1000, notes: 100_000 };
/** How many releases and messages are remembered at least, to know which hold woke a waiter. */
const MOST_MESSAGES = 10_000;

/** The events that may begin a hold or a wait. */
const BEGINNINGS: ReadonlySet<LockEvent['type']> = new Set([
  ...(['lock.acquired', 'lock.reentered', 'lock.partially-released', 'lock.refused', 'lock.found'] as const),
  ...(['lease.renewed', 'lease.shortened', 'drift.healed', 'waiter.subscribed'] as const),
  ...(['permits.acquired', 'permits.refused', 'permits.set'] as const),
]);

/**
 * Follows the events of all locks, and reports each hold and wait when it ends:
 *
 *   event   refused   refused   acquired   renewed   released   published   (B:) acquired
 *   wait    [===================]  ended                                      │
 *   hold    its parent ◄────────[=============================]  ended ◄──────┘ link
 *
 * Memory is bounded: a lock costs nothing once it has no open hold and no open wait.
 */
export class LiveSpans {
  readonly #listener: SpanListener;
  readonly #limits: Limits;
  readonly #locks = new Map<string, LockFollower>();
  readonly #room: Room;
  /** The holds that ended, by the `seq` of the event that ended them. */
  readonly #releases = new Places(MOST_MESSAGES);
  /** The holds whose release published a wake-up, by the `seq` of that event. */
  readonly #messages = new Places(MOST_MESSAGES);

  constructor(listener: SpanListener, limits = LIMITS) {
    this.#listener = listener;
    this.#limits = limits;
    this.#room = { left: limits.notes };
  }

  take(event: LockEvent): void {
    if (event.type === 'blind-spot.began') return this.#endSource(event);
    if (!isOfLock(event)) return;
    if (event.type === 'wakeup.published') this.#published(event);
    const id = lockIdOf(event);
    const known = this.#locks.get(id);
    if (!known && !BEGINNINGS.has(event.type)) return;
    if (!known && this.#listener.isFull()) {
      if (event.type === 'lock.acquired') this.#listener.skipped();
      return;
    }
    const follower = known ?? new LockFollower(event, this.#listener, this.#room);
    follower.take(event, { releases: this.#releases, messages: this.#messages });
    const isFull = follower.drop(this.#limits.perLock);
    if (isFull || follower.isIdle) this.#forget(id, follower);
    else if (!known) this.#add(id, follower);
  }

  /** The open hold of a holder of a lock. */
  holdOf(of: LockPlace, holder: string): SpanPlace | undefined {
    return this.#locks.get(lockIdOf(of))?.holdOf(holder);
  }

  /** Forgets the open spans of locks that were dropped from memory. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      const follower = this.#locks.get(id);
      if (follower) this.#forget(id, follower);
    }
  }

  /** Forgets the open spans of a source whose holds are no longer seen. */
  forgetSource(source: string): void {
    this.forget([...this.#locks.keys()].filter((id) => sourceInId(id) === source));
  }

  /** How many holds and waits are open. */
  get open(): number {
    let open = 0;
    for (const follower of this.#locks.values()) open += follower.open;
    return open;
  }

  #add(id: string, follower: LockFollower): void {
    this.#locks.set(id, follower);
    if (this.#locks.size <= this.#limits.locks) return;
    const [oldest] = this.#locks;
    if (oldest) this.#forget(...oldest);
  }

  #forget(id: string, follower: LockFollower): void {
    this.#locks.delete(id);
    const lost = follower.close();
    if (lost > 0) this.#listener.dropped(lost);
  }

  /** From here on, nothing is known about the locks of a source. */
  #endSource(event: LockEvent): void {
    for (const [id, follower] of this.#locks) {
      if (sourceInId(id) !== event.source) continue;
      follower.take(event, { releases: this.#releases, messages: this.#messages });
      this.#forget(id, follower);
    }
  }

  #published({ seq, because = [] }: LockEvent): void {
    const place = because.map((cause) => this.#releases.get(cause)).find((found) => found !== undefined);
    if (place) this.#messages.add(seq, place);
  }
}
