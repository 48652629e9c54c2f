import { nameOfUrl } from '../bus/bus-keys.ts';
import { isDatabaseUrl } from '../store/store-name.ts';
import type { StoreTask } from '../store/thread-messages.ts';

/** The part of a store that a process writes which watches these servers. A file has only that; a database names it after them. */
export function ownPart(store: StoreTask, redisUrls: readonly string[]): StoreTask {
  if (!isDatabaseUrl(store.path)) return store;
  return { ...store, source: `lockscope ${redisUrls.map((url) => nameOfUrl(url)).join(' ')}` };
}

/** The store of a viewer. It writes a file itself, because no other process can; a database has a writer. */
export function viewedPart(store: StoreTask): StoreTask {
  return isDatabaseUrl(store.path) ? { ...store, isReader: true } : store;
}
