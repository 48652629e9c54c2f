import type { LockKey } from '../../../shared/events/mirror/lock-keys.ts';
import type { BookmarkSignal } from '../../../shared/signals/signal.ts';

type Named = Pick<LockKey, 'db' | 'name'>;

/**
 * Finds out which locks a flush of their database deleted. Redis sends no key event for them, but client tracking
 * reports the flush, and `INFO commandstats` counts it.
 *
 *   a, b held · FLUSHDB · flush noticed: a, b in doubt · read: a, b are gone     flushed
 *                                                      · read: a is there        another database was flushed
 */
export class Flushes {
  readonly #inDoubt = new Map<string, Named>();
  #calls: number | undefined;

  /** Takes a reply to `INFO commandstats`; returns whether a flush was counted since the one before. */
  isCounted(info: unknown): boolean {
    if (typeof info !== 'string') return false;
    let calls = 0;
    for (const [, count] of info.matchAll(/^cmdstat_flush(?:all|db):calls=(\d+)/gm)) calls += Number(count);
    const before = this.#calls;
    this.#calls = calls;
    return before !== undefined && calls > before;
  }

  /** Notes a flush: these locks were held, and must be read. */
  noticed(keys: Iterable<Named>): void {
    for (const { db, name } of keys) this.#inDoubt.set(idOf({ db, name }), { db, name });
  }

  /** Takes a key event about this key: something other than the flush may have deleted it. */
  heard(key: Named): void {
    this.#inDoubt.delete(idOf(key));
  }

  /** The bookmark with `isFlushed` for each key that a flush deleted. */
  marked(bookmark: BookmarkSignal): BookmarkSignal {
    if (this.#inDoubt.size === 0) return bookmark;
    const spared = bookmark.reads.filter((read) => read.type !== 'none' && this.#inDoubt.has(idOf(read)));
    for (const db of new Set(spared.map((read) => read.db))) this.#spare(db);
    const reads = bookmark.reads.map((read) =>
      this.#inDoubt.delete(idOf(read)) && read.movedTo === undefined ? { ...read, isFlushed: true as const } : read,
    );
    return { ...bookmark, reads };
  }

  #spare(db: number): void {
    for (const [id, key] of this.#inDoubt) if (key.db === db) this.#inDoubt.delete(id);
  }
}

function idOf({ db, name }: Named): string {
  return `${db}/${name}`;
}
