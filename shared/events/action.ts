import type { RedisTime } from '../base/time.ts';
import type { CounterAction } from './actions/counter-action.ts';
import type { FairAction } from './actions/fair-action.ts';
import type { GroupLockAction } from './actions/group-lock-action.ts';
import type { ReadWriteAction } from './actions/read-write-action.ts';
import type { TokenAction } from './actions/token-action.ts';
import type { VersionRange } from './recognise/script-versions.ts';
import type { HoldMode } from './types/hold-event.ts';
import type { Lease, RefusalReply } from './types/lease.ts';
import type { LockKind } from './types/lock-kind.ts';

/**
 * What one step did to locks, read from its commands alone, before it is compared with what was there.
 *
 * Each action carries the Redis time of the command that decided it. Recognisers make actions; appliers, which know
 * what Redis held before, turn them into events. A family whose scripts do more than these has actions of its own, in a
 * file beside this one.
 */
export type Action = { readonly at: RedisTime } & (
  | HoldAction
  | OutsideAction
  | FairAction
  | FenceAction
  | ReadWriteAction
  | GroupLockAction
  | TokenAction
  | CounterAction
);

/** The action with this name. */
export type ActionOf<Name extends Action['do']> = Extract<Action, { do: Name }>;

/** What scripts of a lock do to its holds. */
type HoldAction =
  | {
      readonly do: 'acquire';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      /** The script found the caller's own hold and added to it. */
      readonly isReentry: boolean;
      /** Others hold the lock as well, and go on. */
      readonly isShared?: boolean;
      /** How often it holds the lock now, where the script shows it. */
      readonly count?: number;
      /** Null where the script was cut off before it set one. */
      readonly lease: Lease | null;
    }
  | {
      readonly do: 'refuse';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      readonly told: RefusalReply;
      readonly reason: 'held' | 'error' | 'own-hold';
      /** The error came after the script had found that the key exists. */
      readonly isThere?: true;
      readonly heldFor?: 'read' | 'write';
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
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      readonly callerSawSuccess: boolean;
      /** The script found no lock at all; its caller may have been told so. */
      readonly isFree?: boolean;
    }
  | { readonly do: 'force-release'; readonly lock: string; readonly kind: LockKind; readonly isProven: boolean }
  | {
      readonly do: 'renew';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      /** Absent: as it holds the lock, else exclusive. */
      readonly mode?: HoldMode;
      /** Null: the holder was not there, so nothing was renewed. */
      readonly lease: Lease | null;
      readonly batch: number;
    }
  | {
      readonly do: 'publish';
      readonly channel: string;
      readonly message: string;
      /** Whose message it is, where the channel could be that of another lock as well. */
      readonly lock?: string;
    };

/** What any command does to keys, channels and connections. */
type OutsideAction =
  | {
      readonly do: 'delete';
      readonly key: string;
      readonly command: string;
      /** When the value ends that the command left there. */
      readonly valueEnds?: RedisTime;
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
  /** Two databases have changed places. */
  | { readonly do: 'swap'; readonly databases: readonly [number, number]; readonly command: string }
  | { readonly do: 'subscribe'; readonly channels: readonly string[] }
  | { readonly do: 'unsubscribe'; readonly channels: readonly string[] }
  | { readonly do: 'unsubscribe-all' }
  | { readonly do: 'name-connection'; readonly name: string }
  | {
      /** Only some releases of Redisson send this command. */
      readonly do: 'date-client';
      /** The client's uuid; absent: that of the connection. */
      readonly client?: string;
      readonly versions: VersionRange;
    };

/** A fenced lock's counter rose, which only an attempt that succeeds makes it do. */
type FenceAction = { readonly do: 'raise-token'; readonly lock: string };
