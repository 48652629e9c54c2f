import type { DemoKind } from '../../../shared/wire/demo.ts';
import type { Answer, Order } from '../clients/demo-process.ts';
import { RandomCounters } from './random-counters.ts';
import { isCounting, type RandomLock } from './random-lock.ts';
import type { Chance } from './seeded.ts';

const MOST_LEVELS = 4;
const MOST_LOCKS_HELD = 2;
/** How often a thread turns to what counts, where there is such a thing. */
const COUNTS = 0.25;

/** What a thread holds, as far as it knows. */
type Own = { readonly lock: string; readonly kind: DemoKind; levels: number };

/**
 * What one thread does next, drawn from its own chance.
 *
 * It knows only what it was answered, so it may believe in a hold it lost: unlocking that is part of the program.
 * A thread that holds something waits for another lock only for a limited time, so that no two wait for each other
 * for ever.
 */
export class RandomThread {
  readonly #thread: number;
  readonly #locks: readonly RandomLock[];
  readonly #counters: RandomCounters;
  readonly #chance: Chance;
  /** What it believes to hold, by kind and name. */
  readonly #held = new Map<string, Own>();

  constructor(thread: number, locks: readonly RandomLock[], chance: Chance) {
    this.#thread = thread;
    this.#locks = locks.filter((lock) => !isCounting(lock));
    this.#counters = new RandomCounters(thread, locks.filter(isCounting), chance);
    this.#chance = chance;
  }

  next(): Order {
    if (this.#counters.hasAny() && this.#chance.isTrue(COUNTS)) return this.#counters.next();
    const { name, kind: kindOfLock } = this.#chance.oneOf(this.#locks);
    const kind = kindOfLock === 'read-write' ? this.#side() : kindOfLock;
    const held = [...this.#held.values()];
    const draw = this.#chance.next();
    if (draw < 0.02 && kind === 'lock') return this.#order('forceUnlock', name, kind);
    if (draw < 0.06) return this.#order('unlock', name, kind);
    if (held.length === 0) {
      if (draw < 0.5) return this.#order('lock', name, kind, this.#lease());
      return this.#tryLock(name, kind);
    }
    const own = this.#chance.oneOf(held);
    if (draw < 0.6) return this.#order('unlock', own.lock, own.kind);
    if (draw < 0.8 && own.levels < MOST_LEVELS) {
      return held.length === 1
        ? this.#order('lock', own.lock, own.kind, this.#lease())
        : this.#tryLock(own.lock, own.kind);
    }
    // A writer may read as well, and go on reading.
    if (own.kind === 'write-lock' && draw < 0.9) return this.#tryLock(own.lock, 'read-lock');
    return held.length < MOST_LOCKS_HELD ? this.#tryLock(name, kind) : this.#order('unlock', own.lock, own.kind);
  }

  /** Gives up what it holds, one level after the other; undefined: it believes to hold nothing. */
  nextRelease(): Order | undefined {
    const [own] = this.#held.values();
    return own === undefined ? this.#counters.nextRelease() : this.#order('unlock', own.lock, own.kind);
  }

  learn(order: Order, answer: Answer): void {
    const { action, lock, kind = 'lock' } = order;
    const key = `${kind} ${lock}`;
    const levels = this.#held.get(key)?.levels ?? 0;
    if (action === 'lock' || action === 'tryLock') {
      const isMine = action === 'lock' ? answer?.ok : answer?.result === 'true';
      if (isMine) this.#held.set(key, { lock, kind, levels: levels + 1 });
    } else if (action === 'unlock') {
      if (answer?.ok && levels > 1) this.#held.set(key, { lock, kind, levels: levels - 1 });
      else this.#held.delete(key);
    } else {
      this.#counters.learn(order, answer);
    }
  }

  /** Milliseconds to do something else, now and then. */
  rest(): number {
    return this.#chance.isTrue(0.25) ? this.#chance.whole(1, 12) : 0;
  }

  #side(): DemoKind {
    return this.#chance.isTrue(0.6) ? 'read-lock' : 'write-lock';
  }

  #tryLock(lock: string, kind: DemoKind): Order {
    const wait = this.#chance.isTrue(0.3) ? {} : { waitMs: this.#chance.whole(1, 120) };
    return this.#order('tryLock', lock, kind, { ...wait, ...this.#lease() });
  }

  /** None: the watchdog keeps it. Short ones run out under their holder. */
  #lease(): { leaseMs?: number } {
    if (this.#chance.isTrue(0.5)) return {};
    return { leaseMs: this.#chance.isTrue(0.3) ? this.#chance.whole(3, 25) : this.#chance.whole(50, 400) };
  }

  #order(
    action: Order['action'],
    lock: string,
    kind: DemoKind,
    times: { waitMs?: number; leaseMs?: number } = {},
  ): Order {
    // Who is dead stands in the way for as long as it may: not for five minutes.
    const queue = kind === 'fair-lock' && action !== 'unlock' ? { queueMs: this.#chance.whole(100, 600) } : {};
    return { thread: this.#thread, action, lock, ...(kind === 'lock' ? {} : { kind }), ...queue, ...times };
  }
}
