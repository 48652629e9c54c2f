import type { RedisTime } from '../../base/time.ts';
import type { KeyRead, LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { Context } from '../context.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * A family of locks: how its scripts are known, and which Redis keys it has beside the lock's own.
 *
 * One file each, one line each in `families.ts`. Nothing else needs to know that a family exists.
 */
export type Family = {
  readonly kind: LockKind;
  /** First commands of its scripts, the latch left out, in lower case: it is asked about no others. */
  readonly begins: readonly string[];
  /** What a script did, read from the commands it ran and never from its text; undefined: it is none of this family's. */
  recognise(run: ScriptRun): Action[] | undefined;
  /** Plain commands it uses, in upper case: it is asked about no others. */
  readonly commands?: readonly string[];
  /** What a plain command did; undefined: it is none of this family's. */
  recogniseCommand?(line: LineSignal): Action[] | undefined;
  /** Keys beside the lock's own, and its own where that is no hash of holders. */
  readonly companions?: readonly Companion[];
  /** Whether a read of the companions shows that a lock is of this family. */
  isShownBy?(found: Companions): boolean;
  /** Whether the fields of a hash, each of which a lock may have, show that it is of this family. */
  isShownByHash?(fields: KeyRead['fields']): boolean;
  /** What the companions must hold as far as is believed, in the form of a read; undefined: nothing. */
  believed?(key: LockKey): Companions | undefined;
  /** Compares what a read found in the companions with what is believed. */
  applyRead?(to: Context, key: LockKey, found: Companions, at: RedisTime): void;
  /** A companion is gone by another's hand than its own scripts'. */
  applyLoss?(to: Context, key: LockKey, role: string, at: RedisTime, command: string, by: string | undefined): void;
};

/** A Redis key that a family keeps beside the lock's own. */
export type Companion = {
  /** What it is there for, unlike any other family's. */
  readonly role: string;
  readonly type: 'list' | 'zset' | 'string';
  /** A read gives only its first items; under this role it says how many there are in all. */
  readonly lengthRole?: string;
  /** It is the lock's own key, read for what a hash does not have: no other's lock is looked at like that. */
  readonly isOwnKey?: true;
  keyOf(lock: string): string;
  /** Any application may use such a name: it is one only beside a lock known to be of this family. */
  readonly isCommonName?: true;
  /** The lock it belongs to; undefined for any other key. */
  lockOf(key: string): string | undefined;
};

/** What the companions held, by role: items, members with their scores, or one value; empty where there is no key. */
export type Companions = NonNullable<KeyRead['companions']>;
