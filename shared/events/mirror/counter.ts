import { forgetOldest } from '../../base/forget-oldest.ts';
import type { RedisTime } from '../../base/time.ts';

const MOST_EXPIRED = 1000;
const MOST_REFUSED = 1000;
/** How many permits are remembered by id. The number in the key accounts for all permits. */
const MOST_DEADLINES = 10_000;

/** The expected state of a semaphore or latch: its number in Redis; for an expirable semaphore, also its permits. */
export type Counter = {
  /** Free permits, or the remaining count. Null: no such key. Undefined: not known. */
  value: number | null | undefined;
  /** The total number of permits, as far as was seen. */
  total: number | undefined;
  /** Acquired permits of an expirable semaphore by their ids, and when they expire; null: never. */
  readonly deadlines: Map<string, RedisTime | null>;
  /** Permits taken back because they had expired. */
  readonly expired: Set<string>;
  /** `seq` of each client's newest refusal. */
  readonly refused: Map<string, number>;
  /** `seq` of the newest event that took back expired permits. */
  lastReclaim: number;
  /** When the counter was last read. */
  readAt?: RedisTime;
  /** When a message arrived that may open the latch: not the message that is sent when the latch is set or deleted. */
  openedAt?: RedisTime;
  /** A read of the number was requested. */
  isAsked: boolean;
  /**
   * The permits are the members of a sorted set at this key, or the fields of a hash of jobs (sidekiq-unique-jobs).
   * Neither stores how many permits are free.
   */
  isSet?: true;
  /** The members of the set, or fields of the hash, that were seen. */
  members?: Map<string, Member>;
  /** Every member with a score later than this was seen. */
  seenFrom?: RedisTime | undefined;
  /**
   * `all`: all members were seen. `stale`: some of those that were seen may be gone. Undefined: there may be others.
   */
  seen?: 'all' | 'stale' | undefined;
  /**
   * The key exists, whatever its value: a script has changed the number, or a read found it, since it was last gone.
   */
  isThere: boolean;
};

/**
 * A member of a sorted set: its score, by the clock of its client, and how many permits that client allows. For a field
 * of a hash, the score is when the field was set.
 */
type Member = { readonly score: RedisTime; readonly limit: number | undefined };

/** A counter about which nothing is known yet. */
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

/** Remembers a permit as expired; keeps the newest 1000. */
export function rememberExpired(counter: Counter, id: string): void {
  counter.expired.add(id);
  forgetOldest(counter.expired, MOST_EXPIRED);
}

/** Remembers a client's newest refusal; keeps the newest 1000. */
export function rememberRefused(counter: Counter, taker: string, seq: number): void {
  counter.refused.delete(taker);
  counter.refused.set(taker, seq);
  forgetOldest(counter.refused, MOST_REFUSED);
}

/** Notes when a permit expires. Beyond 10,000 permits, further ones are not noted. */
export function noteDeadline({ deadlines }: Counter, id: string, end: RedisTime | null): void {
  if (deadlines.size < MOST_DEADLINES || deadlines.has(id)) deadlines.set(id, end);
}
