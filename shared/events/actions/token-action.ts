import type { TokenOperation } from '../libraries/token-libraries.ts';
import type { Lease } from '../types/lease.ts';

/**
 * How certain it is that a key is a lock. `shape`: its name and value look like a lock's. `sure`: only locks are used
 * like this.
 */
export type Evidence = 'shape' | 'sure';

/** Common fields of actions on a token lock, which is a string with a token. */
export type TokenFields = {
  readonly lock: string;
  /** Undefined if the command does not show it: then it is the connection's token, or the holder's. */
  readonly token: string | undefined;
  /** The library that uses this command or script; undefined: not known. */
  readonly library: string | undefined;
  readonly evidence: Evidence;
  /**
   * An unknown script does this among other things. So the action is used only if the key is known to be a lock, or is
   * named like a lock.
   */
  readonly isBeside?: true;
  /** An unknown script compares a number: it shows a lock only if that is the token of an attempt. */
  readonly isNumber?: true;
};

/** What a script wrote into the key, if that is not its token alone. */
export type Wrote = {
  /** Data that the script made and that contains the token, for example JSON. */
  readonly value?: string;
  /** KEEPTTL: the key keeps its end. */
  readonly keepsLease?: true;
};

/** What commands and scripts do to a lock that is a string with a token. */
export type TokenAction =
  /** The script found no key and set one. */
  | ({ readonly do: 'token-take'; readonly lease: Lease | null; readonly script?: string } & Wrote & TokenFields)
  /** The script found no key, or this token; it does not show which. */
  | ({
      readonly do: 'token-keep';
      readonly lease: Lease | null;
      /** The token's client runs the same script to renew. */
      readonly mayRenew?: true;
      /** The SHA of an application's own script. */
      readonly script?: string;
    } & Wrote &
      TokenFields)
  /** The script found this token, and its caller acquires again. */
  | ({
      readonly do: 'token-again';
      readonly lease: Lease | null;
      /** The script compared only this many characters of the value; the text after them may have changed. */
      readonly prefix?: number;
    } & TokenFields)
  /** The script found this token and renewed its lease. */
  | ({ readonly do: 'token-renew'; readonly lease: Lease | null } & Wrote & TokenFields)
  /** The script found this token and deleted the key. */
  | ({
      readonly do: 'token-drop';
      /** An application's own script deleted the key without reading its token, which may be another one. */
      readonly isUncompared?: true;
      /** The SHA of an application's own script. */
      readonly script?: string;
    } & TokenFields)
  /** An attempt found another token, or only checked that the key exists. */
  | ({
      readonly do: 'token-refuse';
      /** The keys of the attempt, if the script does not show which of them is held. */
      readonly among?: readonly string[];
    } & TokenFields)
  /** The comparison of an attempt, a renewal or a release failed. `as` undefined: only earlier events show which. */
  | ({
      readonly do: 'token-miss';
      readonly as: TokenOperation | undefined;
      /** The keys of the script, if there are several: a client that is refused one key holds none of them. */
      readonly among?: readonly string[];
      /** The SHA of an application's own script: if it was ever seen to delete a key, it is a release. */
      readonly script?: string;
      /** One of the script's arguments may be a lease. */
      readonly isTimed?: true;
      /** The script read the rest of the lease, so it is a query, unless it is known to acquire locks. */
      readonly onlyTries?: true;
      /** The caller also runs this script after a refused renewal. */
      readonly tidiesUp?: true;
    } & TokenFields)
  /**
   * The script did not find this token, and set it if there was no key. Only a key event shows whether there was one.
   */
  | ({
      readonly do: 'token-set-if-free';
      readonly lease: Lease | null;
      /** What the caller wanted. Undefined: only earlier events show it. */
      readonly as: 'renew' | undefined;
      /** The SHA of an application's own script. */
      readonly script?: string;
    } & TokenFields)
  /** A plain command whose outcome only a key event shows. */
  | ({
      readonly do: 'token-try';
      /** `free`: SET NX. `own`: SET or DELEX with IFEQ. `any`: SET XX, with any holder. */
      readonly ifKeyIs: 'free' | 'own' | 'any';
      /** The value that IFEQ compares with. If a SET writes another one, it hands the key over. */
      readonly compared?: string | undefined;
      readonly lease: Lease | null;
      /** KEEPTTL: the key keeps its end. */
      readonly keepsLease?: true;
      /** DELEX and DELIFEQ: it deletes the key instead of setting it. */
      readonly isDelete: boolean;
      /** The keys of the command, if there are several: it sets either all of them or none. */
      readonly among?: readonly string[];
    } & TokenFields)
  /**
   * The client waits in BLPOP or BRPOP until a release puts an item into this list. `limitMs` 0: without a limit.
   * `lock` absent: the list is not one of a library, so only a release that put an item there shows its lock.
   */
  | {
      readonly do: 'token-sleep';
      readonly lock: string | undefined;
      readonly channel: string;
      readonly limitMs: number;
    }
  /** The script published a message for waiters on the library's own channel. */
  | { readonly do: 'token-wake'; readonly lock: string; readonly channel: string; readonly message: string };
