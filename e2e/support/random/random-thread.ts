import type { DemoKind } from '../../../shared/wire/demo.ts';
import type { Answer, Order } from '../lockscope/demo-process.ts';
import { RandomCounters } from './random-counters.ts';
import { isCounting, type RandomLock } from './random-lock.ts';
import type { Chance } from './seeded.ts';

const MOST_LEVELS = 4;
const MOST_LOCKS_HELD = 2;
/** How long a thread stays in a queue. A dead waiter blocks the queue that long: by default, five minutes. */
const QUEUE_MS = [100, 600] as const;
/** The probability that the next operation is on a semaphore or latch, if there are any. */
const COUNTER_PROBABILITY = 0.25;

/** A hold that the thread thinks it has. `isEnding`: the thread has already unlocked it at least once. */
type OwnHold = { readonly lock: string; readonly kind: DemoKind; levels: number; isEnding: boolean };

/**
 * Chooses the next operation of one thread, from its own random numbers.
 *
 * It knows only the answers to its operations, so it may think it still has a hold that it lost. Unlocking such a hold
 * is part of the program. A thread that holds a lock waits for another one only for a limited time, which prevents
 * deadlocks.
 */
export class RandomThread {
  readonly #thread: number;
  readonly #locks: readonly RandomLock[];
  readonly #counters: RandomCounters;
  readonly #chance: Chance;
  readonly #isHealthy: boolean;
  readonly #queueMs: readonly [number, number];
  /** The holds that the thread thinks it has, by kind and name. */
  readonly #held = new Map<string, OwnHold>();

  /**
   * `queueMs`: how long the thread stays in the queue of a fair lock, at least and at most. `isHealthy`: the thread
   * unlocks only what it holds, no lease ends before its hold, and no fair waiter gives up. A lock that the thread
   * began to unlock is not entered again: to Redis, that could also be two jobs with one thread id.
   */
  constructor(
    thread: number,
    locks: readonly RandomLock[],
    chance: Chance,
    { isHealthy = false, queueMs = QUEUE_MS }: { isHealthy?: boolean; queueMs?: readonly [number, number] } = {},
  ) {
    this.#queueMs = queueMs;
    this.#thread = thread;
    this.#locks = locks.filter((lock) => !isCounting(lock));
    this.#counters = new RandomCounters(thread, locks.filter(isCounting), chance, isHealthy);
    this.#chance = chance;
    this.#isHealthy = isHealthy;
  }

  next(): Order {
    if (this.#counters.hasAny() && this.#chance.isTrue(COUNTER_PROBABILITY)) return this.#counters.next();
    const { name, kind: kindOfLock } = this.#chance.oneOf(this.#locks);
    const kind = kindOfLock === 'read-write' ? this.#readOrWrite() : kindOfLock;
    const held = [...this.#held.values()];
    const draw = this.#chance.next();
    if (draw < 0.02 && !this.#isHealthy && kind === 'lock') return this.#order('forceUnlock', name, kind);
    if (draw < 0.06 && !this.#isHealthy) return this.#order('unlock', name, kind);
    if (held.length === 0) {
      if (draw < 0.5) return this.#order('lock', name, kind, this.#lease());
      return this.#tryLock(name, kind);
    }
    const own = this.#chance.oneOf(held);
    if (draw < 0.6) return this.#order('unlock', own.lock, own.kind);
    if (draw < 0.8 && own.levels < MOST_LEVELS && !(this.#isHealthy && own.isEnding)) {
      return held.length === 1
        ? this.#order('lock', own.lock, own.kind, this.#lease())
        : this.#tryLock(own.lock, own.kind);
    }
    // A writer may also read, and keep the read hold after its write hold.
    if (own.kind === 'write-lock' && draw < 0.9) return this.#tryLock(own.lock, 'read-lock');
    const mayTry = held.length < MOST_LOCKS_HELD && !(this.#isHealthy && this.#held.get(`${kind} ${name}`)?.isEnding);
    return mayTry ? this.#tryLock(name, kind) : this.#order('unlock', own.lock, own.kind);
  }

  /**
   * The thread's next unlock, one level after another, and then the next return of permits. `undefined` if the thread
   * thinks it has neither.
   */
  nextRelease(): Order | undefined {
    const [own] = this.#held.values();
    return own === undefined ? this.#counters.nextRelease() : this.#order('unlock', own.lock, own.kind);
  }

  learn(order: Order, answer: Answer): void {
    const { action, lock, kind = 'lock' } = order;
    const key = `${kind} ${lock}`;
    const { levels, isEnding } = this.#held.get(key) ?? { levels: 0, isEnding: false };
    if (action === 'lock' || action === 'tryLock') {
      const isAcquired = action === 'lock' ? answer?.ok : answer?.result === 'true';
      if (isAcquired) this.#held.set(key, { lock, kind, levels: levels + 1, isEnding });
    } else if (action === 'unlock') {
      if (answer?.ok && levels > 1) this.#held.set(key, { lock, kind, levels: levels - 1, isEnding: true });
      else this.#held.delete(key);
    } else {
      this.#counters.learn(order, answer);
    }
  }

  /** The pause before the next operation, in ms; often 0. */
  rest(): number {
    return this.#chance.isTrue(0.25) ? this.#chance.whole(1, 12) : 0;
  }

  #readOrWrite(): DemoKind {
    return this.#chance.isTrue(0.6) ? 'read-lock' : 'write-lock';
  }

  #tryLock(lock: string, kind: DemoKind): Order {
    // A fair waiter that gives up just as it is woken leaves the next one asleep: a real incident.
    const isShort = this.#chance.isTrue(0.3) || (this.#isHealthy && kind === 'fair-lock');
    const wait = isShort ? {} : { waitMs: this.#chance.whole(1, 120) };
    return this.#order('tryLock', lock, kind, { ...wait, ...this.#lease() });
  }

  /** Without a lease time, the watchdog renews the hold. A short lease may expire before its holder unlocks. */
  #lease(): { leaseMs?: number } {
    if (this.#chance.isTrue(0.5)) return {};
    if (this.#isHealthy) return { leaseMs: this.#chance.whole(60_000, 120_000) };
    return { leaseMs: this.#chance.isTrue(0.3) ? this.#chance.whole(3, 25) : this.#chance.whole(50, 400) };
  }

  #order(
    action: Order['action'],
    lock: string,
    kind: DemoKind,
    times: { waitMs?: number; leaseMs?: number } = {},
  ): Order {
    const queue = kind === 'fair-lock' && action !== 'unlock' ? { queueMs: this.#chance.whole(...this.#queueMs) } : {};
    return { thread: this.#thread, action, lock, ...(kind === 'lock' ? {} : { kind }), ...queue, ...times };
  }
}
