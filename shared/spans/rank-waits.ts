import { clientOf } from '../events/names/names.ts';
import type { LockSpans } from './blockers.ts';
import { CostParts, type Room } from './cost-parts.ts';
import type { WaitPart } from './divide-waits.ts';
import type { Hold } from './holds-from-events.ts';
import type { Wait } from './wait.ts';

/** What the costs of a range are ranked by. */
export const COSTS_BY = ['lock', 'client', 'hold'] as const;
export type CostsBy = (typeof COSTS_BY)[number];

/**
 * What a lock, client or hold cost. `waits`: the number of its waits. In µs: `waited`, the time of these waits, and
 * `caused`, the time that other threads waited because of it.
 */
export type Cost = { waits: number; waited: number; caused: number; readonly parts: CostParts } & LowerLimit;
/** A wait began before it was seen, or may have begun before, so the times are at least these. */
type LowerLimit = { isAtLeast?: true };
/** What one hold cost others, also through threads that waited for its holder. */
type HoldCost = {
  readonly lock: string;
  readonly hold: Hold;
  micros: number;
  readonly waiters: Set<string>;
} & LowerLimit;
type DividedWait = {
  readonly lock: string;
  readonly wait: Wait;
  readonly micros: number;
  readonly parts: WaitPart[];
};

/** How many names of holders are kept in the parts of all locks, clients and threads together. */
const MOST_NAMED = 200_000;
/** How many of the longest waits are kept with their parts. */
const MOST_WAITS = 100;

/** Adds up the parts of waits: in total, and by lock, client, thread and hold. */
export class WaitRanking {
  readonly locks = new Map<string, Cost>();
  readonly clients = new Map<string, Cost>();
  readonly threads = new Map<string, Cost>();
  readonly holds = new Map<Hold, HoldCost>();
  readonly total: Cost = noCost(new CostParts());
  readonly #room: Room = { left: MOST_NAMED };
  readonly #from: number;
  #longest: DividedWait[] = [];

  /** `from`: the beginning of the range, in µs. */
  constructor(from: number) {
    this.#from = from;
  }

  /** Takes a wait for `lock` and its parts. */
  add(lock: LockSpans, wait: Wait, parts: WaitPart[]): void {
    const micros = parts.reduce((sum, part) => sum + part.micros, 0);
    if (micros <= 0) return;
    const { holder } = wait;
    const isAtLeast = wait.isOpenStart && wait.from > this.#from;
    const of = [
      this.#at(this.locks, lock.id),
      this.#at(this.clients, clientOf(holder)),
      this.#at(this.threads, holder),
    ];
    for (const cost of [this.total, ...of]) {
      cost.waits++;
      cost.waited += micros;
      for (const part of parts) cost.parts.add(part);
      if (isAtLeast) cost.isAtLeast = true;
    }
    for (const part of parts) if (part.hold) this.#charge(part.lock, part.hold, part.micros, { holder, isAtLeast });
    this.#longest.push({ lock: lock.id, wait, micros, parts });
    if (this.#longest.length > 2 * MOST_WAITS) this.#cut();
  }

  /** The longest waits, the longest first. */
  longestWaits(most: number): readonly DividedWait[] {
    this.#cut();
    return this.#longest.slice(0, most);
  }

  #cut(): void {
    this.#longest = this.#longest.sort((a, b) => b.micros - a.micros).slice(0, MOST_WAITS);
  }

  #charge(lock: string, hold: Hold, micros: number, waiter: { holder: string; isAtLeast: boolean }): void {
    const of = [
      this.#at(this.locks, lock),
      this.#at(this.clients, clientOf(hold.holder)),
      this.#at(this.threads, hold.holder),
    ];
    for (const cost of of) {
      cost.caused += micros;
      if (waiter.isAtLeast) cost.isAtLeast = true;
    }
    const known: HoldCost = this.holds.get(hold) ?? { lock, hold, micros: 0, waiters: new Set() };
    this.holds.set(hold, known);
    known.micros += micros;
    known.waiters.add(waiter.holder);
    if (waiter.isAtLeast) known.isAtLeast = true;
  }

  #at(costs: Map<string, Cost>, key: string): Cost {
    const cost = costs.get(key) ?? noCost(new CostParts(this.#room));
    costs.set(key, cost);
    return cost;
  }
}

function noCost(parts: CostParts): Cost {
  return { waits: 0, waited: 0, caused: 0, parts };
}
