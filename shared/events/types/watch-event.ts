import type { Millis, RedisTime } from '../../base/time.ts';
import type { BlindReason } from '../../signals/blind-reason.ts';
import type { HeldValue, HoldMode } from './hold-event.ts';
import type { LockKind } from './lock-kind.ts';

export type BlindSpotReason = BlindReason;

/**
 * Why another server now answers for a source. `promoted`: a replica took over from its master. `restarted`: the server
 * has the same address, but it may not have the data from before.
 */
export type FailoverHow = 'promoted' | 'restarted';

/** A holder and its hold count, as a read found them or as they were expected. */
export type FoundHolder = {
  readonly holder: string;
  /** 0: not known. */
  readonly holdCount: number;
  readonly mode: HoldMode;
  /** When the hold began, if it was seen to begin on the shard from which the lock was moved. */
  readonly since?: RedisTime;
  /** Group lock: the values it holds. */
  readonly values?: readonly HeldValue[];
};

/** What a lock's key holds. A semaphore or a latch is a number and has no holders. */
export type KeyContent = {
  readonly holders: readonly FoundHolder[];
  /** Null: the lease never expires, or its end is not known. */
  readonly expiresAt: RedisTime | null;
  readonly value?: number;
  /** The first 100 waiters of a fair lock's queue, head first; absent: as known before. */
  readonly queue?: readonly string[];
};

/** Events about the watching itself: failovers, blind spots, and what a read found. */
export type WatchDetail =
  | {
      /** From here on, another server answers for this source. It may lack some writes of the previous server. */
      readonly type: 'failover';
      readonly how: FailoverHow;
      /** `host:port` of the previous server and of the present one; both are equal after a restart. */
      readonly from: string;
      readonly to: string;
      /** All writes up to this time have reached the new master. Absent: not known. */
      readonly replicatedUntil?: RedisTime;
    }
  | {
      /** The current server has no record of this hold, and no end of it was seen. Its holder does not know that. */
      readonly type: 'lock.lost';
      readonly holder: string;
      readonly mode: HoldMode;
      readonly reason: 'failover' | 'restart';
      /** When the lease would have expired, as far as it was known. */
      readonly expiresAt?: RedisTime;
    }
  | {
      /** The key was moved to another server of its cluster, with its holders: no hold was lost. */
      readonly type: 'lock.moved';
      /** `host:port`; absent if only the key's absence was seen. */
      readonly to?: string;
      readonly holder?: string;
      readonly holders?: readonly string[];
    }
  | { readonly type: 'blind-spot.began'; readonly reason: BlindReason }
  | { readonly type: 'blind-spot.ended'; readonly reason: BlindReason; readonly from: RedisTime }
  | {
      /**
       * A read found holders whose acquisition was not seen, or shows again those that were known before a failover or
       * a blind spot. The hold may have begun before or after watching started.
       */
      readonly type: 'lock.found';
      readonly holders: readonly FoundHolder[];
      /** Null: the lease never expires. Absent: not known. */
      readonly expiresAt?: RedisTime | null;
      /** The hold is the one that was known before a failover or a blind spot. */
      readonly isKept?: true;
      /**
       * This read is the first one of the lock since a blind spot, which ended at this time. Unless `isKept`, the
       * holders may have acquired the lock in the blind spot.
       */
      readonly gapEndedAt?: RedisTime;
    }
  | {
      /** Something about a lock was learnt late: this event corrects what earlier events reported. */
      readonly type: 'lock.learned';
      /** The kind reported before; the event's own `kind` is the right one. */
      readonly kindBefore?: LockKind;
      /** The fencing token of the current hold. */
      readonly fencingToken?: string;
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /** The hold was reported without a count and a lease, which a read has shown now. */
      readonly holdCount?: number;
      readonly leaseMs?: Millis;
      /** Null: the lease never expires. */
      readonly expiresAt?: RedisTime | null;
    }
  | {
      readonly type: 'drift.healed';
      /**
       * The expected state, and the state that a read or a command showed, which replaces it. Null: the key does not
       * exist, or was expected to be missing.
       */
      readonly expected: KeyContent | null;
      readonly found: KeyContent | null;
      /** `blind-spot`: Redis was not watched for a while, so a difference is expected. */
      readonly cause: 'blind-spot' | 'unexplained';
      /**
       * For `blind-spot`: when the blind spot ended. A holder that was known before may have released the lock in the
       * blind spot.
       */
      readonly gapEndedAt?: RedisTime;
    };
