import type { RedisTime } from '../../base/time.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { Counter } from './counter.ts';
import type { FairQueue } from './fair-queue.ts';
import type { GroupValues } from './group-values.ts';
import type { TokenMirror } from './token-mirror.ts';

/**
 * What kinds of locks keep beside the hash of holders, as Redis must have it: each kind has its own field, made when
 * something of it is first seen.
 */
export type Mirrors = {
  /** The key has another type than a lock's: every script that looks for a hold there ends with an error. */
  isOtherType?: boolean;
  /** Fair lock: who stands in the queue. */
  queue?: FairQueue;
  /** The kinds it was told as, where there is more than one. */
  reportedKinds?: Set<LockKind>;
  /** Read-write lock: when each timeout key of each reader ends, the one for its first count first; null: not known. */
  readTimeouts?: Map<string, (RedisTime | null)[]>;
  /** `seq` of the newest release that nobody is told of: a spin lock's, or a writer's that goes on reading. */
  lastUnannouncedRelease?: number;
  /** Group lock: who has each of its values. */
  values?: GroupValues;
  /** Semaphore, latch: the number at its key. */
  counter?: Counter;
  /** Fenced lock: the counter; undefined until it was read once. */
  token?: bigint;
  /** A read was asked for: where it told nothing, the regular ones may. */
  isTokenAsked?: boolean;
  /** A string with a token: whose tokens they were, and what is not known yet. */
  tokens?: TokenMirror;
};
