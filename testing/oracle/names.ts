/** The name of a command, in lower case. */
export function nameOf(words: readonly string[]): string {
  return (words[0] ?? '').toLowerCase();
}

/** The channel on which a waiter of a lock listens. Each waiter of a fair lock has its own. */
export function channelOf(kind: string, lock: string, holder: string): string {
  const name = lock.includes('{') ? lock : `{${lock}}`;
  if (kind === 'read-write-lock') return `redisson_rwlock:${name}`;
  const channel = `redisson_lock__channel:${name}`;
  return kind === 'fair-lock' ? `${channel}:${holder}` : channel;
}
