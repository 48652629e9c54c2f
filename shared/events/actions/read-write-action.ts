import type { RedisTime } from '../../base/time.ts';
import type { Lease } from '../types/lease.ts';

/** What scripts of read-write locks do beyond those of others: each reader has timeout keys of its own. */
export type ReadWriteAction =
  | {
      readonly do: 'read-acquire';
      readonly lock: string;
      readonly holder: string;
      /** How often it holds the lock for reading now: it has as many timeout keys. Null: once more. */
      readonly count: number | null;
      readonly isShared: boolean;
      /** Until when its newest timeout key lasts; null where the script was cut off before. */
      readonly timeout: Lease | null;
      /** That of the whole lock: the longest of all. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'read-release' | 'write-release';
      readonly lock: string;
      readonly holder: string;
      /** How often it holds the lock in this mode afterwards; null: once less. */
      readonly count: number | null;
      /** The lock is gone, with whoever else still stood in it. */
      readonly isFreed: boolean;
      /** It holds the lock for reading as well, and keeps that. */
      readonly isDowngrade: boolean;
      /** That of the whole lock, where the script set it again. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'read-renew';
      readonly lock: string;
      readonly holder: string;
      /** Null: the holder was not there, so nothing was renewed. */
      readonly lease: Lease | null;
      readonly batch: number;
      /** Timeout keys it moved, those of other holders included. */
      readonly moved: readonly MovedTimeout[];
    };

/** A timeout key of a reader, and its new end. */
export type MovedTimeout = { readonly holder: string; readonly count: number; readonly endsAt: RedisTime };
