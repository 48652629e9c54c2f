import type { RedisTime } from '../../base/time.ts';
import type { Lease } from '../types/lease.ts';

/** What only scripts of read-write locks do. Each reader has its own timeout keys. */
export type ReadWriteAction =
  | {
      readonly do: 'read-acquire';
      readonly lock: string;
      readonly holder: string;
      /** How often the reader holds the lock now, with one timeout key for each hold. Null: one more than before. */
      readonly count: number | null;
      readonly isShared: boolean;
      /** The lease of the reader's newest timeout key; null if the script was cut off before. */
      readonly timeout: Lease | null;
      /** The lease of the whole lock: the longest of all. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'read-release' | 'write-release';
      readonly lock: string;
      readonly holder: string;
      /** How often the holder holds the lock in this mode afterwards; null: one less than before. */
      readonly count: number | null;
      /** The lock's key is gone, with all other holders that were still in it. */
      readonly isFreed: boolean;
      /** The writer also holds the lock for reading, and keeps that hold. */
      readonly isDowngrade: boolean;
      /** The lease of the whole lock, if the script set it again. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'read-renew';
      readonly lock: string;
      readonly holder: string;
      /** Null: the script did not find the holder, so it renewed nothing. */
      readonly lease: Lease | null;
      readonly batch: number;
      /** Timeout keys whose expiry the script changed, including those of other holders. */
      readonly moved: readonly MovedTimeout[];
    };

/** A timeout key of a reader, and its new expiry. */
export type MovedTimeout = { readonly holder: string; readonly count: number; readonly endsAt: RedisTime };
