import type { Lease } from '../types/lease.ts';

/** How sure it is that a key is a lock: its name and value only look like one, or only locks are used that way. */
export type Evidence = 'shape' | 'sure';

/** What all actions on a lock that is a string with a token tell. */
type OfToken = {
  readonly lock: string;
  /** Undefined where the command does not say: whoever this connection is, or holds the lock. */
  readonly token: string | undefined;
  /** Which library does it this way; undefined: none that is known. */
  readonly library: string | undefined;
  readonly evidence: Evidence;
};

/** What commands and scripts do to a lock that is a string with a token. */
export type TokenAction =
  /** The script found no key and set one. */
  | ({ readonly do: 'token-take'; readonly lease: Lease | null } & OfToken)
  /** The script found nothing, or this token: which of them, it does not show. */
  | ({ readonly do: 'token-keep'; readonly lease: Lease | null } & OfToken)
  /** The script found this token, and its caller locks once more. */
  | ({
      readonly do: 'token-again';
      readonly lease: Lease | null;
      /** It compared only so many characters: what follows them in the value may be another text than before. */
      readonly prefix?: number;
    } & OfToken)
  /** The script found this token and set its lease anew. */
  | ({ readonly do: 'token-renew'; readonly lease: Lease | null } & OfToken)
  /** The script found this token and deleted the key. */
  | ({ readonly do: 'token-drop' } & OfToken)
  /** An attempt found another token, or a key at all. */
  | ({
      readonly do: 'token-refuse';
      /** The keys it was about, where it does not say which of them is taken. */
      readonly among?: readonly string[];
    } & OfToken)
  /** A comparison failed: an attempt, a renewal or a release, which its script tells or only what was before. */
  | ({
      readonly do: 'token-miss';
      readonly as: TokenOperation | undefined;
      /** The keys of its script, where there are several: who was refused one of them was given none. */
      readonly among?: readonly string[];
      /** Its caller runs this script after a refused renewal, too. */
      readonly tidiesUp?: true;
    } & OfToken)
  /** A plain command whose outcome only a key event shows. */
  | ({
      readonly do: 'token-try';
      /** `free`: SET NX. `own`: SET or DELEX with IFEQ. `any`: SET XX, whoever holds it. */
      readonly ifKeyIs: 'free' | 'own' | 'any';
      readonly lease: Lease | null;
      /** It deletes instead of setting. */
      readonly isDelete: boolean;
    } & OfToken)
  /** Waiters are told on a channel of the library's own. */
  | { readonly do: 'token-wake'; readonly lock: string; readonly channel: string; readonly message: string };

/** What a library's script is for. `keep`: it acquires and renews. */
export type TokenOperation = 'acquire' | 'keep' | 'renew' | 'release' | 'query';
