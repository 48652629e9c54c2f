import type { RedisTime } from '../../base/time.ts';
import type { Lease } from '../types/lease.ts';

/** What a script did to one value of a group lock. `endsAt` null: it left the end as it was. */
export type ValueChange = { readonly value: string; readonly endsAt: RedisTime | null };

/** What scripts of group locks do: each value has a holder, a count and an end of its own. */
export type GroupLockAction =
  | {
      readonly do: 'group-acquire';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly ValueChange[];
      readonly leaseMs: number;
      /** That of the hash; null where the script left it as it was. */
      readonly lease: Lease | null;
      /** The script found no hash at all. */
      readonly isNew: boolean;
    }
  | {
      readonly do: 'group-refuse';
      readonly lock: string;
      readonly holder: string;
      readonly values: readonly string[];
      /** The value that is not to be had, and who has it; absent: the script was cut off by an error. */
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
      /** All that were to be renewed. */
      readonly asked: readonly string[];
      readonly values: readonly ValueChange[];
      readonly leaseMs: number;
      readonly lease: Lease | null;
      /** The value that its holder has no more; nothing was renewed from there on. */
      readonly missing?: string;
    }
  | { readonly do: 'group-force'; readonly lock: string; readonly values: readonly string[] };
