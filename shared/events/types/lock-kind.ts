/** The kinds of lock that events distinguish, for all libraries. */
export const LOCK_KINDS = [
  'lock',
  'fair-lock',
  'read-write-lock',
  'fenced-lock',
  'spin-lock',
  'group-lock',
  'semaphore',
  'expirable-semaphore',
  'latch',
  'token-lock',
] as const;

export type LockKind = (typeof LOCK_KINDS)[number];
