/**
 * What shows that a key is probably a lock of the application's own, if no known library uses it.
 *
 *   name      its name shows that it is a lock
 *   token     its value looks like a token, not like data
 *   retried   refused clients tried again while the key existed, twice or more
 *   renewed   the client that set it set a later end of its lease, and no other client did
 *   released  the client that set it deleted it
 *   reused    it was deleted and set again: each time with another token, or with a word that was gone within seconds
 */
export type LockEvidence = (typeof LOCK_EVIDENCE)[number];
export const LOCK_EVIDENCE = ['name', 'token', 'retried', 'renewed', 'released', 'reused'] as const;
