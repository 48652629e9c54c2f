import type { Millis, RedisTime } from '../base/time.ts';
import type { CounterAction } from './actions/counter-action.ts';
import type { FairAction } from './actions/fair-action.ts';
import type { GroupLockAction } from './actions/group-lock-action.ts';
import type { ReadWriteAction } from './actions/read-write-action.ts';
import type { ReplicaAction } from './actions/replica-action.ts';
import type { TokenAction } from './actions/token-action.ts';
import type { UnlockAction } from './actions/unlock-action.ts';
import type { VersionRange } from './libraries/script-versions.ts';
import type { HoldMode } from './types/hold-event.ts';
import type { Lease, RefusalReply } from './types/lease.ts';
import type { LockKind } from './types/lock-kind.ts';
import type { StrangeForm } from './types/strange-form.ts';

/**
 * What one step did to locks, read from its commands alone, before it is compared with what Redis held.
 *
 * Each action carries the Redis time of the command that decided it. Recognisers make actions; appliers, which know
 * what Redis held before, turn them into events. A family whose scripts do more has its own actions, in a file in
 * `actions/`.
 */
export type Action = { readonly at: RedisTime } & (
  | HoldAction
  | OutsideAction
  | FairAction
  | FencingTokenAction
  | ReadWriteAction
  | GroupLockAction
  | TokenAction
  | CounterAction
  | UnlockAction
  | ReplicaAction
);

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
      /** The lock can have several holders: others that hold it now still do so afterwards. */
      readonly isShared?: boolean;
      /** The hold count afterwards, if the script shows it. */
      readonly count?: number;
      /** Null: the script set none, for example because it was cut off, or Redis rejected the time. */
      readonly lease: Lease | null;
      /** The script is an application's own, although it uses the key as Redisson does. */
      readonly isHomeMade?: true;
    }
  | {
      readonly do: 'refuse';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      readonly mode: HoldMode;
      readonly reported: RefusalReply;
      readonly reason: 'held' | 'error' | 'own-hold';
      /** The error occurred after the script had found that the key exists. */
      readonly isThere?: true;
      /** The script is an application's own, as for example the order of its arguments shows. */
      readonly isHomeMade?: true;
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
      /** The script found no lock at all; its reply may have shown that. */
      readonly isFree?: boolean;
      /** The script has an unlock latch, whose lifetime shows how long a client waits for the answer. */
      readonly answerMs?: Millis;
      /**
       * The script may be any script that looks for the caller's hold. It is an unlock only if the caller held an
       * application's own lock and lost it.
       */
      readonly isHomeMade?: true;
    }
  | {
      readonly do: 'force-release';
      readonly lock: string;
      readonly kind: LockKind;
      /** Whether the script found a key. Absent: no line shows that. */
      readonly hasFound?: boolean;
    }
  | {
      readonly do: 'renew';
      readonly lock: string;
      readonly kind: LockKind;
      readonly holder: string;
      /** Absent: the mode in which the caller holds the lock; if it holds none, `read` for a read-write lock. */
      readonly mode?: HoldMode;
      /** Null: the script did not find the holder, or Redis rejected the time, so it renewed nothing. */
      readonly lease: Lease | null;
      /** How many locks the script was to renew. */
      readonly batch: number;
    }
  /** A renewal that names no holder. `asked`: the values of a group lock that it names. */
  | {
      readonly do: 'renew-nothing';
      readonly lock: string;
      readonly leaseMs: Millis;
      readonly asked?: readonly string[];
    }
  | { readonly do: 'renew-not-run'; readonly lock: string; readonly holder: string; readonly mode: HoldMode }
  | {
      readonly do: 'publish';
      readonly channel: string;
      readonly message: string;
      /** The lock of the message, if the channel could belong to another lock as well. */
      readonly lock?: string;
    };

/** What any command does to keys, channels and connections. */
type OutsideAction =
  | {
      readonly do: 'delete';
      readonly key: string;
      readonly command: string;
      /**
       * The command may have failed or done nothing: MONITOR shows it all the same. A key event shows the outcome;
       * without one, a read does. `if-not-string`: the command cannot fail on a string.
       */
      readonly mayFail?: 'always' | 'if-not-string';
      /** The same script restores the key, perhaps with another end. */
      readonly comesBack?: true;
      /** The value that the command wrote. If it is the holder's token, the hold goes on. */
      readonly value?: string | undefined;
      /** When the value that the command left at the key expires. */
      readonly valueEnds?: RedisTime;
      /** The new value of the command expires when the value before it would have expired. */
      readonly keepsEnd?: true;
      /** The deleted fields; absent: the whole key. A key is gone with its last field. */
      readonly holders?: readonly string[];
    }
  | {
      readonly do: 'set-expiry';
      readonly key: string;
      readonly command: string;
      /** Null: PERSIST. */
      readonly expiresAt: RedisTime | null;
      /** NX, XX, GT and LT: the end is set only if all of them are met. */
      readonly conditions: readonly string[];
      /** The command has no effect on a key that is not a string. */
      readonly isOfString?: true;
    }
  /** A field of a hash gets its own TTL. Null: the field has none afterwards. */
  | {
      readonly do: 'set-field-expiry';
      readonly key: string;
      readonly command: string;
      readonly expiresAt: RedisTime | null;
    }
  | { readonly do: 'flush'; readonly allDatabases: boolean; readonly command: string }
  /** The stream does not show whether the command had an effect, or what is at the key now: a read shows it. */
  | {
      readonly do: 'may-change';
      readonly key: string;
      /** A plain command wrote the field of a holder: Redisson does so only in scripts. */
      readonly isPlainHold?: true;
      /** The command, if it shows why a lock is gone afterwards. */
      readonly command?: string | undefined;
      /** The command changes a part of a string. If this was a token, it is a different value afterwards. */
      readonly isEdit?: true;
    }
  /**
   * A key arrived, as far as the command shows. `here`: the database that it arrived in, for example by RENAME, MOVE or
   * RESTORE; absent: it arrived from another shard.
   */
  | { readonly do: 'arrive'; readonly key: string; readonly here?: number }
  /** The key looks like a lock of a form that is not understood. */
  | { readonly do: 'strange-lock'; readonly key: string; readonly form: StrangeForm }
  /** SWAPDB: two databases exchanged their content. */
  | { readonly do: 'swap'; readonly databases: readonly [number, number]; readonly command: string }
  | { readonly do: 'subscribe'; readonly channels: readonly string[] }
  | { readonly do: 'unsubscribe'; readonly channels: readonly string[] }
  | { readonly do: 'unsubscribe-all' }
  | { readonly do: 'name-connection'; readonly name: string }
  | {
      /** Only some releases of Redisson send this command. */
      readonly do: 'date-client';
      /** The client's uuid; absent: the client of the connection. */
      readonly client?: string;
      readonly versions: VersionRange;
    };

/** A fenced lock's counter rose, which happens only in an attempt that succeeds, or that an error cuts off. */
type FencingTokenAction = { readonly do: 'raise-token'; readonly lock: string };
