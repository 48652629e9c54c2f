import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import type { PassChanges } from '../../../shared/insights/pass/pass-input.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';

/** What has changed since the detectors looked last. */
export class LookChanges {
  #locks = new Set<string>();
  #clients = new Set<string>();
  #sources = new Set<string>();
  #lockEvents = new Set<string>();

  /** How many locks there are to look at, without those of changed clients and sources. */
  get locks(): number {
    return this.#locks.size;
  }

  /** Notes locks that changed or are gone. */
  lock(ids: Iterable<string>): void {
    for (const id of ids) this.#locks.add(id);
  }

  /** Notes clients that changed, by key. */
  client(keys: Iterable<string>): void {
    for (const key of keys) this.#clients.add(key);
  }

  /**
   * Notes an event that detectors look at, or no longer look at. `isRare`: it is wanted itself, not only kept beside a
   * wanted event.
   */
  event(event: LockEvent, isRare: boolean): void {
    this.#locks.add(lockIdOf(event));
    if (isOfSource(event)) this.#sources.add(event.source);
    else if (isRare) this.#lockEvents.add(event.source);
  }

  /** Returns everything that was noted, and begins again. */
  take(): PassChanges {
    const taken = { locks: this.#locks, clients: this.#clients, sources: this.#sources, lockEvents: this.#lockEvents };
    this.#locks = new Set();
    this.#clients = new Set();
    this.#sources = new Set();
    this.#lockEvents = new Set();
    return taken;
  }
}
