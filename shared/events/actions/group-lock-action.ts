import type { RedisTime } from '../../base/time.ts';
import type { Lease } from '../types/lease.ts';

/** What a script did to one value of a group lock. `endsAt` null: the script did not change the expiry. */
export type ValueChange = { readonly value: string; readonly endsAt: RedisTime | null };

/** What scripts of group locks do. Each value has its own holder, hold count and expiry. */
export type GroupLockAction =
  | {
      readonly do: 'group-acquire';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly ValueChange[];
      readonly leaseMs: number;
      /** The lease of the hash; null if the script did not change it. */
      readonly lease: Lease | null;
      /** The script found no hash at all. */
      readonly isNew: boolean;
    }
  | {
      readonly do: 'group-refuse';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly string[];
      /** The value that another thread holds, and its holder; absent: an error cut the script off. */
      readonly taken?: { readonly value: string; readonly heldBy: string };
    }
  | {
      readonly do: 'group-release';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly (ValueChange & { readonly isGone: boolean })[];
      readonly leaseMs: number;
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'group-refuse-unlock';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly string[];
      readonly isFree: boolean;
    }
  | {
      readonly do: 'group-renew';
      readonly lock: string;
      readonly holder: string;
      /** All values that the script was to renew. */
      readonly asked: readonly string[];
      readonly values: readonly ValueChange[];
      readonly leaseMs: number;
      readonly lease: Lease | null;
      /** The first value that its holder no longer holds; the script renewed nothing from there on. */
      readonly missing?: string;
    }
  | { readonly do: 'group-force'; readonly lock: string; readonly values: readonly string[] };
