import type { KeyRead } from '../../signals/signal.ts';

/** A Redis key that a lock has beside its own, or its own key if that is not a hash of holders. */
export type Companion = {
  /** The purpose of the key, unique over all kinds, except for kinds that share the key. */
  readonly role: string;
  readonly type: 'list' | 'zset' | 'string';
  /** If a read returns only the first items: the role under which it returns their total number. */
  readonly lengthRole?: string;
  /** This is the lock's own key, which is not a hash: only locks of this kind are read this way. */
  readonly isOwnKey?: true;
  keyOf(lock: string): string;
  /** Any application may use a key of this name, so the key is used only beside a lock known to have this kind. */
  readonly isCommonName?: true;
  /** The lock to which this companion belongs; undefined for any other key. */
  lockOf(key: string): string | undefined;
};

/** What the companions held, by role: items, members with their scores, or one value; empty if there is no key. */
export type Companions = NonNullable<KeyRead['companions']>;

/** The lock's own key, if it is a string: a number or a token. */
export function ownString(role: string): Companion {
  return { role, type: 'string', isOwnKey: true, keyOf: (lock) => lock, lockOf: () => undefined };
}
