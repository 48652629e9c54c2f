import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { LockState } from '../state/lock-state.ts';

/**
 * A queue head that was evicted. The range begins when it became the head, or with its last attempt as the head, and
 * ends with its eviction.
 */
export type EvictedHead = { readonly holder: string; readonly from: RedisTime; readonly to: RedisTime };

/**
 * Finds the heads of a fair lock's queue that were evicted, event by event.
 *
 *   event   B queued (1)   C queued (2)   A releases            C acquires (B evicted)
 *   B       [====== head ======================================]
 */
export class EvictedHeadReader {
  readonly heads: EvictedHead[] = [];
  #queue: string[];
  #seenAt: RedisTime | undefined;

  constructor(base?: LockState) {
    const queued = (base?.waiters ?? []).flatMap(({ id, position }) => (position === null ? [] : [{ id, position }]));
    this.#queue = queued.sort((a, b) => a.position - b.position).map(({ id }) => id);
    this.#seenAt = base?.changedAt;
  }

  take(event: LockEvent): void {
    switch (event.type) {
      case 'waiter.queued':
        if (event.holder === this.#queue[0] || this.#queue.length === 0) this.#seenAt = event.at;
        if (!this.#queue.includes(event.holder)) this.#queue.push(event.holder);
        break;
      case 'lock.refused':
        if (event.holder === this.#queue[0]) this.#seenAt = event.at;
        break;
      case 'waiter.dequeued':
        if (event.reason === 'presumed-gone') break;
        if (event.reason === 'evicted' && event.holder === this.#queue[0] && this.#seenAt !== undefined)
          this.heads.push({ holder: event.holder, from: this.#seenAt, to: event.at });
        this.#leave(event.holder, event.at);
        break;
      case 'lock.acquired':
        this.#leave(event.holder, event.at);
        break;
      case 'blind-spot.began':
        this.#queue = [];
        break;
      default: // the other events do not change the queue
    }
  }

  #leave(holder: string, at: RedisTime): void {
    if (holder === this.#queue[0]) this.#seenAt = at;
    this.#queue = this.#queue.filter((each) => each !== holder);
  }
}
