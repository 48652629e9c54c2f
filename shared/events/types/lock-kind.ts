/** The kinds of lock that are told apart, whatever library they are of. */
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
