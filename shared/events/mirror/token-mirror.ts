import type { RedisTime } from '../../base/time.ts';
import type { TokenOperation } from '../actions/token-action.ts';
import type { Lease } from '../types/lease.ts';

/** What is remembered of a lock that is a string with a token. */
export type TokenMirror = {
  library: string | undefined;
  /** False while its name or its value only look like a lock's. */
  isSure: boolean;
  /** It is a lock only because the user asked to see what looks like an application's own locks. */
  isOwn?: boolean;
  /** Whether a command or a read ever told what the key holds. */
  isStateKnown: boolean;
  /** A plain command put a value there that is no attempt: the key is taken, by nobody known, until then (null: for good). */
  foreign?: { readonly until: RedisTime | null } | undefined;
  /** The holder locked again with another text behind its token: the value that the key has now, and the holder as reported. */
  alias?: { readonly value: string; readonly holder: string } | undefined;
  /** Attempts whose outcome nobody told yet: a read is under way. */
  readonly untold: Untold[];
  /** A renewal of which the next read tells whether it was one. */
  untoldRenewal?: Untold | undefined;
  /** Tokens that were given the lock, oldest first. */
  readonly granted: Set<string>;
  /** Per address the token it last had the lock with. */
  readonly tokenAt: Map<string, string>;
  /** What was refused last: clients repeat it until they give up. */
  lastMiss: Miss | undefined;
};

/** An attempt whose outcome nobody told yet. */
export type Untold = {
  readonly token: string;
  readonly at: RedisTime;
  readonly lease: Lease | null;
  readonly by: string | undefined;
};

/** A comparison that failed. */
export type Miss = {
  readonly token: string;
  readonly as: TokenOperation;
  readonly at: RedisTime;
  /** Its caller has tidied up after it since. */
  isTidied?: true;
};
