import { forgetOldest } from '../../base/forget-oldest.ts';
import type { RedisTime } from '../../base/time.ts';

const MOST_EXPIRED = 1000;
const MOST_REFUSED = 1000;
/** How many permits are known by their ids; of more, how many there are is in the number. */
const MOST_DEADLINES = 10_000;

/** What we believe of a semaphore or latch: a number in Redis, and of an expirable semaphore its permits. */
export type Counter = {
  /** Free permits, or what is left to count down. Null: no such key. Undefined: not known. */
  value: number | null | undefined;
  /** All permits, as far as was seen. */
  total: number | undefined;
  /** Permits of an expirable semaphore that are out, and until when; null: they never expire. */
  readonly deadlines: Map<string, RedisTime | null>;
  /** Permits taken back because their time was over. */
  readonly expired: Set<string>;
  /** `seq` of each taker's newest refusal. */
  readonly refused: Map<string, number>;
  /** `seq` of the newest return of permits whose time was over. */
  lastReclaim: number;
  /** A read was asked for. */
  isAsked: boolean;
  /** A script has changed the number since it was last gone, so the key is there, whatever its value. */
  isThere: boolean;
};

/** A counter of which nothing is known yet. */
export function emptyCounter(): Counter {
  return {
    value: undefined,
    total: undefined,
    deadlines: new Map(),
    expired: new Set(),
    refused: new Map(),
    lastReclaim: -1,
    isAsked: false,
    isThere: false,
  };
}

/** Remembers a permit as expired; the oldest is forgotten when there are too many. */
export function rememberExpired(counter: Counter, id: string): void {
  counter.expired.add(id);
  forgetOldest(counter.expired, MOST_EXPIRED);
}

/** Remembers a taker's newest refusal; the oldest is forgotten when there are too many. */
export function rememberRefused(counter: Counter, taker: string, seq: number): void {
  counter.refused.delete(taker);
  counter.refused.set(taker, seq);
  forgetOldest(counter.refused, MOST_REFUSED);
}

/** Notes until when a permit is good, while there is room. */
export function noteDeadline({ deadlines }: Counter, id: string, end: RedisTime | null): void {
  if (deadlines.size < MOST_DEADLINES || deadlines.has(id)) deadlines.set(id, end);
}
