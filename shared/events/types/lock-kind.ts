/** The kinds of lock that events distinguish, for all libraries. */
export type LockKind =
  | 'lock'
  | 'fair-lock'
  | 'read-write-lock'
  | 'fenced-lock'
  | 'spin-lock'
  | 'group-lock'
  | 'semaphore'
  | 'expirable-semaphore'
  | 'latch'
  | 'token-lock';
