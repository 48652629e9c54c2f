import type { Millis, RedisTime } from '../base/time.ts';
import type { HoldMode, LockKind } from './event.ts';

/**
 * What one step did to locks, read from its commands alone, before it is compared with what was there.
 *
 * Each action carries the Redis time of the command that decided it. Recognisers make actions; the interpreter, which remembers what Redis holds, turns them into events.
 */
export type Action = { readonly at: RedisTime } & ActionDetail;

type ActionDetail =
  | {
      readonly do: 'acquire';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      /** The script found the caller's own hold and added to it. */
      readonly isReentry: boolean;
      /** Null where the script was cut off before it set one. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'refuse';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      /** When the TTL was read that the client is told; null where it was told something else. */
      readonly toldAt: RedisTime | null;
      readonly reason: 'held' | 'error';
    }
  | {
      readonly do: 'release';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
    }
  | {
      readonly do: 'release-partly';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'refuse-unlock';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly callerSawSuccess: boolean;
    }
  | { readonly do: 'force-release'; readonly lock: string; readonly kind: LockKind; readonly isProven: boolean }
  | {
      readonly do: 'renew';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      /** Null: the holder was not there, so nothing was renewed. */
      readonly lease: Lease | null;
      readonly batch: number;
    }
  | { readonly do: 'publish'; readonly channel: string; readonly message: string }
  | {
      readonly do: 'delete';
      readonly key: string;
      readonly command: string;
      /** Absent: the whole key. The key goes with its last field. */
      readonly holders?: readonly string[];
    }
  | {
      readonly do: 'set-expiry';
      readonly key: string;
      readonly command: string;
      /** Null: PERSIST. */
      readonly expiresAt: RedisTime | null;
      readonly condition: string;
    }
  | { readonly do: 'flush'; readonly allDatabases: boolean; readonly command: string }
  | { readonly do: 'subscribe' | 'unsubscribe'; readonly channels: readonly string[] }
  | { readonly do: 'unsubscribe-all' }
  | { readonly do: 'name-connection'; readonly name: string };

/** A lease as a command set it: when it was set and for how long. */
export type Lease = { readonly setAt: RedisTime; readonly ms: Millis };
