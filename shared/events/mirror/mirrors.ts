import type { Millis, RedisTime } from '../../base/time.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { Counter } from './counter.ts';
import type { FairQueue } from './fair-queue.ts';
import type { GroupValues } from './group-values.ts';
import type { TokenMirror } from './tokens/token-mirror.ts';

/**
 * What kinds of locks keep beside the hash of holders, as Redis must have it, and what is noted about few locks only.
 * Each field is created when it is first needed.
 */
export type Mirrors = {
  /** The key has another type than a lock's: every script that looks for a hold there fails. */
  isOtherType?: boolean;
  /** An application's own scripts use the key as Redisson's scripts do. */
  isHomeMade?: true;
  /** A command that removed or replaced the key, or failed. Kept until a read or a renewal shows which of the two. */
  mayBeTaken?: MayBeTaken | undefined;
  /** The lease may end earlier than the computed end by this much, because its script took long. */
  unsureEnd?: { readonly expiresAt: RedisTime; readonly earlierBy: Millis };
  /**
   * A field notification showed that a hold began, but no read has shown the lease yet. The time is when that lease was
   * set.
   */
  heardLease?: RedisTime | undefined;
  /** When a field of the hash ends, and the command that set this end. */
  fieldEnd?: { readonly at: RedisTime; readonly command: string; readonly by: string | undefined } | undefined;
  /**
   * A command may have given the key other holders, for example by RENAME, or a counter another number: if the next read
   * finds them, that is not drift. Cleared by that read.
   */
  mayHaveCome?: true | undefined;
  /** Fair lock: its queue. */
  queue?: FairQueue;
  /** The kinds reported so far, if there is more than one. */
  reportedKinds?: Set<LockKind>;
  /** Read-write lock: when each reader's timeout keys expire, in the order of their counts; null: not known. */
  readTimeouts?: Map<string, (RedisTime | null)[]>;
  /** `seq` of the newest release without a message: a spin lock's, or a downgrade from writing to reading. */
  lastUnannouncedRelease?: number;
  /** Group lock: the holder of each value. */
  values?: GroupValues;
  /** Semaphore, latch: the number at its key. */
  counter?: Counter;
  /** Fenced lock: the counter's value; undefined until it was read or deleted once. */
  token?: bigint;
  /** Fenced lock: a read of the counter was requested. If it shows nothing, a later regular read may. */
  isTokenAsked?: boolean;
  /**
   * Token lock: its tokens, and attempts whose outcome is not known yet. For a semaphore that is a sorted set or a hash
   * of jobs: only its library.
   */
  tokens?: TokenMirror;
};

/** A command that may have taken the lock from its holder. */
export type MayBeTaken = {
  readonly at: RedisTime;
  readonly command: string;
  readonly by: string | undefined;
  /** The token with which the command compared the value (`SET … IFEQ`). */
  readonly compared?: string | undefined;
  /** The command explains only that the key is gone or is not a lock, not that it has other holders. */
  readonly isOnlyIfGone?: true;
  /** The same script restored the key, perhaps with another end. */
  readonly comesBack?: true | undefined;
};
