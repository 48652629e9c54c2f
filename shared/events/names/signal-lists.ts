/** python-redis-lock: the key of a lock, and the list in which its release puts an item for one waiter. */
const LOCK = 'lock:';
const SIGNAL = 'lock-signal:';

/** The list beside a lock; undefined if its name is not one of python-redis-lock. */
export function signalOf(lock: string): string | undefined {
  return lock.startsWith(LOCK) ? SIGNAL + lock.slice(LOCK.length) : undefined;
}

/** The lock of such a list; undefined for any other key. */
export function lockOfSignal(key: string): string | undefined {
  return key.startsWith(SIGNAL) ? LOCK + key.slice(SIGNAL.length) : undefined;
}

/** What the names of all such lists begin with. */
export const SIGNAL_PREFIX = SIGNAL;
