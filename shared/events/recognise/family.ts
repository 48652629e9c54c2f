import type { RedisTime } from '../../base/time.ts';
import type { KeyRead, LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { Context } from '../context.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * A family of locks: how its scripts are recognised, and which Redis keys it has beside the lock's own.
 *
 * Each family is one file, and one line in `families.ts`.
 */
export type Family = {
  readonly kind: LockKind;
  /** First commands of its scripts, in lower case, without those on the unlock latch. `recognise` gets only these. */
  readonly begins: readonly string[];
  /** What a script did, by its inner commands, never by its text; undefined if it belongs to another family. */
  recognise(run: ScriptRun): Action[] | undefined;
  /** Plain commands it uses, in upper case. `recogniseCommand` gets only these. */
  readonly commands?: readonly string[];
  /** What a plain command did; undefined if it does not belong to this family. */
  recogniseCommand?(line: LineSignal): Action[] | undefined;
  /** Keys beside the lock's own, and the lock's own key if that is not a hash of holders. */
  readonly companions?: readonly Companion[];
  /** Whether a read of the companions shows that a lock belongs to this family. */
  isShownBy?(found: Companions): boolean;
  /** Whether the fields of a lock's hash show that it belongs to this family. */
  isShownByHash?(fields: KeyRead['fields']): boolean;
  /** What we believe the companions hold, in the form of a read; undefined: nothing. */
  believed?(key: LockKey): Companions | undefined;
  /** Compares what a read found in the companions with what we believe. */
  applyRead?(to: Context, key: LockKey, found: Companions, at: RedisTime): void;
  /** A companion key was removed by something other than the family's own scripts. */
  applyLoss?(to: Context, key: LockKey, role: string, at: RedisTime, command: string, by: string | undefined): void;
};

/** A Redis key that a family keeps beside the lock's own. */
export type Companion = {
  /** Its purpose, unique over all families. */
  readonly role: string;
  readonly type: 'list' | 'zset' | 'string';
  /** A read returns only the first items, and their total number under this role. */
  readonly lengthRole?: string;
  /** It is the lock's own key, which is not a hash: only locks of this family are read this way. */
  readonly isOwnKey?: true;
  keyOf(lock: string): string;
  /** Any application may use such a name: it counts only beside a lock known to belong to this family. */
  readonly isCommonName?: true;
  /** The lock it belongs to; undefined for any other key. */
  lockOf(key: string): string | undefined;
};

/** What the companions held, by role: items, members with their scores, or one value; empty if there is no key. */
export type Companions = NonNullable<KeyRead['companions']>;
