import type { Answer, Order } from '../lockscope/demo-process.ts';
import type { RandomLock } from './random-lock.ts';
import type { Chance } from './seeded.ts';

/**
 * Fewer permits than all threads together can acquire. A killed client never returns its permits of a plain semaphore.
 */
const PERMITS = { semaphore: 40, expirable: 6 };
const LONGEST_WAIT_MS = 80;
const MOST_TAKEN = 3;

/** Chooses the next operation of one thread on semaphores and latches. No operation waits without a limit. */
export class RandomCounters {
  readonly #thread: number;
  readonly #counters: readonly RandomLock[];
  readonly #chance: Chance;
  readonly #isHealthy: boolean;
  /** Permits acquired, by name: how many with each acquisition, oldest first. */
  readonly #taken = new Map<string, { readonly kind: RandomLock['kind']; readonly permits: number[] }>();

  constructor(thread: number, counters: readonly RandomLock[], chance: Chance, isHealthy: boolean) {
    this.#thread = thread;
    this.#counters = counters;
    this.#chance = chance;
    this.#isHealthy = isHealthy;
  }

  hasAny(): boolean {
    return this.#counters.length > 0;
  }

  next(): Order {
    const counter = this.#chance.oneOf(this.#counters);
    const draw = this.#chance.next();
    if (counter.kind === 'latch') return this.#onLatch(counter.name, draw);
    if (draw < 0.1)
      return this.#order(counter, 'trySetPermits', {
        permits: counter.kind === 'semaphore' ? PERMITS.semaphore : PERMITS.expirable,
      });
    const taken = this.#taken.get(counter.name)?.permits ?? [];
    if (taken.length > 0 && (draw < 0.5 || taken.length >= MOST_TAKEN)) return this.#release(counter, taken[0] ?? 1);
    const wait = this.#chance.isTrue(0.4) ? {} : { waitMs: this.#chance.whole(1, LONGEST_WAIT_MS) };
    if (counter.kind === 'semaphore') {
      return this.#order(counter, 'tryAcquire', { permits: this.#chance.whole(1, 3), ...wait });
    }
    const lease = this.#isHealthy || this.#chance.isTrue(0.2) ? {} : { leaseMs: this.#chance.whole(5, 300) };
    return this.#order(counter, 'tryAcquire', { ...lease, ...wait });
  }

  /** The order that releases the thread's oldest permits; `undefined` if the thread has none. */
  nextRelease(): Order | undefined {
    for (const [name, { kind, permits }] of this.#taken) {
      const [oldest] = permits;
      if (oldest !== undefined) return this.#release({ name, kind }, oldest);
    }
    return undefined;
  }

  learn({ action, lock, kind, permits = 1 }: Order, answer: Answer): void {
    const taken = this.#taken.get(lock)?.permits ?? [];
    if (action === 'release') taken.shift();
    if (action !== 'tryAcquire' || answer?.result !== 'true') return;
    taken.push(permits);
    this.#taken.set(lock, { kind: kind === 'expirable-semaphore' ? kind : 'semaphore', permits: taken });
  }

  #onLatch(name: string, draw: number): Order {
    const latch = { name, kind: 'latch' } as const;
    if (draw < 0.25) return this.#order(latch, 'trySetCount', { permits: this.#chance.whole(1, 5) });
    if (draw < 0.7) return this.#order(latch, 'countDown');
    return this.#order(latch, 'await', { waitMs: this.#chance.whole(0, LONGEST_WAIT_MS) });
  }

  #release(counter: RandomLock, permits: number): Order {
    return this.#order(counter, 'release', counter.kind === 'semaphore' ? { permits } : {});
  }

  #order({ name, kind }: RandomLock, action: Order['action'], more: Partial<Order> = {}): Order {
    // Only semaphores and latches are passed to this method, and `Order['kind']` contains their kinds.
    return { thread: this.#thread, action, lock: name, kind: kind as NonNullable<Order['kind']>, ...more };
  }
}
