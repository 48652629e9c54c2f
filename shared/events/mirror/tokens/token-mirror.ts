import type { RedisTime } from '../../../base/time.ts';
import type { TokenOperation } from '../../libraries/token-libraries.ts';
import type { Lease } from '../../types/lease.ts';
import type { LockEvidence } from '../../types/lock-evidence.ts';

/** What is remembered about a lock that is a string with a token. */
export type TokenMirror = {
  /** Undefined: not known. */
  library: string | undefined;
  /** False while the name or the value of the key only look like a lock's. */
  isSure: boolean;
  /** No known library uses this lock. It is shown because of what was seen of it, or because the user asked for it. */
  isOwn?: boolean;
  /** The evidence so far, until a comparison or the user confirms that this is a lock. */
  evidence?: readonly LockEvidence[] | undefined;
  /** Whether a command or a read has shown what the key holds. */
  isStateKnown: boolean;
  /** The key has a value that no attempt wrote, until this time; null: without an end. */
  foreign?: { readonly until: RedisTime | null } | undefined;
  /**
   * A command replaced the holder's value. If a read finds another value since then, it is not known whether its owner
   * holds the lock.
   */
  isReplaced?: true | undefined;
  /**
   * The key's value and the holder as events report it, if the two differ: the holder wrote a newer value, for example
   * with another time, or a script wrote data that contains the token.
   */
  alias?: { readonly value: string; readonly holder: string } | undefined;
  /** Without commands: a key event showed that the value was set while the key existed, since its last read. */
  isSetAgain?: boolean;
  /** Attempts with an unknown outcome: a read has been requested. */
  readonly unreported: Unreported[];
  /**
   * The holder set a word that all clients use, without an end. Another client may have set the same word before
   * watching began.
   */
  mayBeOfOther?: boolean;
  /** Attempts up to this time were forgotten, so later attempts with the same tokens are not the first ones. */
  forgottenUntil?: RedisTime | undefined;
  /**
   * Clients attempt with SET NX, or with a script that does not compare first. So a script that only compares is not an
   * attempt.
   */
  isTriedBySet?: true;
  /** Renewals of the holder whose outcome is not known yet, oldest first. */
  readonly unreportedRenewals: Unreported[];
  /**
   * A command that compared a token with the key's value and, if they were equal, replaced it with this one. Only a
   * read shows whether they were equal.
   */
  replacement?: (Unreported & { readonly compared: string }) | undefined;
  /** Tokens that held the lock, the newest 50. The one that last acquired or renewed it is the last. */
  readonly granted: Set<string>;
  /** Tokens that released the lock by a command and have not held it since, the newest 50. */
  readonly released: Set<string>;
  /** By address of a connection: the token with which it last held the lock. */
  readonly tokenAt: Map<string, string>;
  /** By address of a connection: the token that was last refused there. */
  readonly refusedTokens: Map<string, string>;
  /** The last refused renewal or release: clients repeat the same request until they give up. */
  lastMiss: Miss | undefined;
};

/** An attempt, or a renewal, whose outcome is not known yet. */
export type Unreported = {
  readonly token: string;
  readonly at: RedisTime;
  lease: Lease | null;
  /** A later command set another end of the lease, whichever client holds the lock. */
  moved?: EndMoved;
  readonly by: string | undefined;
  /**
   * This is a renewal that acquires a free lock. If the renewal was refused, it does not count as a refused attempt.
   */
  readonly isRenewal?: boolean;
  /** The value was set unseen, before the instant at which a read found it. */
  readonly isFound?: true;
};

/** A command that set another end of a lease, and the connection that sent it. */
export type EndMoved = { readonly at: RedisTime; readonly by: string | undefined; readonly expiresAt: RedisTime };

/** A renewal or release whose comparison failed. */
type Miss = {
  readonly token: string;
  readonly as: TokenOperation;
  readonly at: RedisTime;
  /** The caller has run its clean-up script since then. */
  isTidied?: true;
};
