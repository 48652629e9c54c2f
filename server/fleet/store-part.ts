import { nameOfUrl } from '../bus/bus-keys.ts';
import { isDatabaseUrl } from '../store/store-name.ts';
import type { StoreTask } from '../store/thread-messages.ts';

/**
 * The part of a store that a process which watches these servers writes. A file has only one part; in a database, its
 * name is made from the servers.
 */
export function ownPart(store: StoreTask, redisUrls: readonly string[]): StoreTask {
  if (!isDatabaseUrl(store.path)) return store;
  return { ...store, source: `lockscope ${redisUrls.map((url) => nameOfUrl(url)).join(' ')}` };
}

/** The store of a viewer. The viewer writes a file itself, because no other process can; a database has a writer. */
export function viewedPart(store: StoreTask): StoreTask {
  return isDatabaseUrl(store.path) ? { ...store, isReader: true } : store;
}
