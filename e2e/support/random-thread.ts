import type { Answer, Order } from './demo-process.ts';
import type { Chance } from './seeded.ts';

const MOST_LEVELS = 4;
const MOST_LOCKS_HELD = 2;

/**
 * What one thread does next, drawn from its own chance.
 *
 * It knows only what it was answered, so it may believe in a hold it lost: unlocking that is part of the program.
 * A thread that holds something waits for another lock only for a limited time, so that no two wait for each other
 * for ever.
 */
export class RandomThread {
  readonly #thread: number;
  readonly #locks: readonly string[];
  readonly #chance: Chance;
  /** Levels it believes to hold. */
  readonly #held = new Map<string, number>();

  constructor(thread: number, locks: readonly string[], chance: Chance) {
    this.#thread = thread;
    this.#locks = locks;
    this.#chance = chance;
  }

  next(): Order {
    const lock = this.#chance.oneOf(this.#locks);
    const held = [...this.#held.keys()];
    const draw = this.#chance.next();
    if (draw < 0.02) return this.#order('forceUnlock', lock);
    if (draw < 0.06) return this.#order('unlock', lock);
    if (held.length === 0) {
      if (draw < 0.5) return this.#order('lock', lock, { ...this.#lease() });
      return this.#tryLock(lock);
    }
    const own = this.#chance.oneOf(held);
    if (draw < 0.6) return this.#order('unlock', own);
    if (draw < 0.8 && (this.#held.get(own) ?? 0) < MOST_LEVELS) {
      return held.length === 1 ? this.#order('lock', own, { ...this.#lease() }) : this.#tryLock(own);
    }
    return held.length < MOST_LOCKS_HELD ? this.#tryLock(lock) : this.#order('unlock', own);
  }

  /** Gives up what it holds, one level after the other; undefined: it believes to hold nothing. */
  nextRelease(): Order | undefined {
    const [own] = this.#held.keys();
    return own === undefined ? undefined : this.#order('unlock', own);
  }

  learn({ action, lock }: Order, answer: Answer): void {
    const levels = this.#held.get(lock) ?? 0;
    const isMine = action === 'lock' ? answer?.ok : action === 'tryLock' && answer?.result === 'true';
    if (isMine) this.#held.set(lock, levels + 1);
    if (action !== 'unlock') return;
    if (answer?.ok && levels > 1) this.#held.set(lock, levels - 1);
    else this.#held.delete(lock);
  }

  /** Milliseconds to do something else, now and then. */
  rest(): number {
    return this.#chance.isTrue(0.25) ? this.#chance.whole(1, 12) : 0;
  }

  #tryLock(lock: string): Order {
    const wait = this.#chance.isTrue(0.3) ? {} : { waitMs: this.#chance.whole(1, 120) };
    return this.#order('tryLock', lock, { ...wait, ...this.#lease() });
  }

  /** None: the watchdog keeps it. Short ones run out under their holder. */
  #lease(): { leaseMs?: number } {
    if (this.#chance.isTrue(0.5)) return {};
    return { leaseMs: this.#chance.isTrue(0.3) ? this.#chance.whole(3, 25) : this.#chance.whole(50, 400) };
  }

  #order(action: Order['action'], lock: string, times: { waitMs?: number; leaseMs?: number } = {}): Order {
    return { thread: this.#thread, action, lock, ...times };
  }
}
