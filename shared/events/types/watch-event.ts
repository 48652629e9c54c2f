import type { RedisTime } from '../../base/time.ts';
import type { HeldValue, HoldMode } from './hold-event.ts';
import type { LockKind } from './lock-kind.ts';

/**
 * How another server came to answer for a source. `promoted`: a replica took over from its master. `restarted`: at the same
 * address, but nothing tells that it has the data of the one before.
 */
export type FailoverHow = 'promoted' | 'restarted';

/** A holder and its hold count, as a snapshot found them in Redis. */
export type FoundHolder = {
  readonly holder: string;
  readonly holdCount: number;
  readonly mode: HoldMode;
  /** It was seen to begin at the shard that its lock came from. */
  readonly since?: RedisTime;
  /** Group lock: what of it it has. */
  readonly values?: readonly HeldValue[];
};

/** What a lock's key holds: `null` where there is no key. A semaphore and a latch are a number, and have no holders. */
export type KeyContent = {
  readonly holders: readonly FoundHolder[];
  readonly expiresAt: RedisTime | null;
  readonly value?: number;
  /** Who stands in a fair lock's queue, head first, the first hundred; absent: as it was believed. */
  readonly queue?: readonly string[];
};

/** What the watching itself tells: who answers, what nobody saw, and what a read found. */
export type WatchDetail =
  | {
      /** Another server answers for this source from here on: it may know less than the one before was told. */
      readonly type: 'failover';
      readonly how: FailoverHow;
      /** `host:port` of the server before and of the one now; the same after a restart. */
      readonly from: string;
      readonly to: string;
      /** Whatever was written until then is known to have reached the new master. Absent: nobody knows. */
      readonly replicatedUntil?: RedisTime;
    }
  | {
      /** The server that answers now does not know this hold, and nobody was seen to end it: its holder still believes in it. */
      readonly type: 'lock.lost';
      readonly holder: string;
      readonly mode: HoldMode;
      readonly reason: 'failover' | 'restart';
      /** When the lease would have run out, as far as it was known. */
      readonly expiresAt?: RedisTime;
    }
  | {
      /** The key went to another server of its cluster, holders and all: nobody lost anything. */
      readonly type: 'lock.moved';
      /** `host:port`; absent where only the key's absence was seen. */
      readonly to?: string;
      readonly holder?: string;
      readonly holders?: readonly string[];
    }
  | { readonly type: 'blind-spot.began'; readonly reason: string }
  | { readonly type: 'blind-spot.ended'; readonly reason: string; readonly from: RedisTime }
  | {
      /** A snapshot met this lock for the first time: held before anybody watched, or since. */
      readonly type: 'lock.found';
      readonly holders: readonly FoundHolder[];
      /** Null: the lease has no end. Absent: it is not known. */
      readonly expiresAt?: RedisTime | null;
      /** It was known before a failover, and the server that answers now knows it too. */
      readonly isKept?: true;
    }
  | {
      /** Something about a lock came to be known later than it was so: what was told before is corrected by this. */
      readonly type: 'lock.learned';
      /** The kind it was told as; it is of the event's own kind. */
      readonly kindBefore?: LockKind;
      /** The number the present hold was given. */
      readonly fencingToken?: string;
      readonly holder?: string;
    }
  | {
      readonly type: 'drift.healed';
      /** What we believed and what a snapshot found; the belief is replaced. */
      readonly expected: KeyContent | null;
      readonly found: KeyContent | null;
      /** `blind-spot`: nobody was watching, so a difference is no surprise. */
      readonly cause: 'blind-spot' | 'unexplained';
    };
