const LOCK = 'lock:';
/**
 * Prefixes of the lists into which a release puts an item for one waiter: those of python-redis-lock, and of walrus.
 */
const SIGNALS = ['lock-signal:', 'lock.event:'] as const;

/** Whether a key is the list that wakes the waiters of this lock. */
export function isSignalOf(lock: string, list: string | undefined): boolean {
  return list !== undefined && lockOfSignal(list) === lock;
}

/** The lock whose waiters such a list wakes; undefined for any other key. */
export function lockOfSignal(key: string): string | undefined {
  const signal = SIGNALS.find((prefix) => key.startsWith(prefix));
  return signal && LOCK + key.slice(signal.length);
}

/** The library that uses such a list. */
export function libraryOfSignal(list: string): string {
  return list.startsWith(SIGNALS[0]) ? 'python-redis-lock' : 'walrus';
}

/** The end of the name of a list of free permits, as redis-semaphore (Ruby and Python) uses it. */
export const PERMIT_LIST_END = ':AVAILABLE';

/** The names of the lists of python-redis-lock and walrus begin with this. */
export const SIGNAL_PREFIX = 'lock';
