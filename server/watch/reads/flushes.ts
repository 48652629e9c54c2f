import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LockKey } from '../../../shared/events/mirror/lock-key.ts';
import type { BookmarkSignal, KeyRead } from '../../../shared/signals/signal.ts';

type Named = Pick<LockKey, 'db' | 'name'>;
/** A key that a flush may have deleted. `perhaps`: something else may have removed it before. */
type InDoubt = Named & { readonly isFlushed: true | 'perhaps' };

/** A flush happened between these two instants. */
type FlushTime = { readonly from: RedisTime; readonly to: RedisTime };

/** The end of a lease is known to within about this many ms. */
const CLOCK_ERROR = 100;

/**
 * Finds out which locks a flush of their database deleted. Redis sends no key event for them, but client tracking
 * reports the flush.
 *
 *   a, b held · FLUSHDB · flush noticed: a, b in doubt · read: a, b are gone     flushed
 *                                                      · read: a is there        another database was flushed
 *
 *   lease of     a            b             c
 *   ends         |      [ flush within ]    |      a expired before it, c was deleted by it, b: not known
 */
export class Flushes {
  readonly #inDoubt = new Map<string, InDoubt>();

  /**
   * Notes a flush: these keys existed, and must be read. `hasChanged`: whether a key has a change that is not read yet.
   */
  noticed(
    keys: Iterable<Named & Pick<LockKey, 'expiresAt'>>,
    { from, to }: FlushTime,
    hasChanged: (key: Named) => boolean,
  ): void {
    for (const { db, name, expiresAt } of keys) {
      const key = { db, name };
      if (expiresAt != null && plusMillis(expiresAt, CLOCK_ERROR) < from) continue;
      const isSure = !hasChanged(key) && (expiresAt == null || plusMillis(expiresAt, -CLOCK_ERROR) > to);
      this.#inDoubt.set(idOf(key), { ...key, isFlushed: isSure || 'perhaps' });
    }
  }

  /** Takes a key event about this key: something other than the flush may have deleted it. */
  heard(key: Named): void {
    this.#inDoubt.delete(idOf(key));
  }

  /** The bookmark with `isFlushed` for each key that a flush deleted, or may have deleted (`perhaps`). */
  marked(bookmark: BookmarkSignal): BookmarkSignal {
    if (this.#inDoubt.size === 0) return bookmark;
    const unflushed = bookmark.reads.filter((read) => read.type !== 'none' && this.#inDoubt.has(idOf(read)));
    for (const db of new Set(unflushed.map((read) => read.db))) this.#spare(db);
    return { ...bookmark, reads: bookmark.reads.map((read) => this.#taken(read)) };
  }

  #taken(read: KeyRead): KeyRead {
    const id = idOf(read);
    const doubt = this.#inDoubt.get(id);
    this.#inDoubt.delete(id);
    return doubt && read.movedTo === undefined ? { ...read, isFlushed: doubt.isFlushed } : read;
  }

  #spare(db: number): void {
    for (const [id, key] of this.#inDoubt) if (key.db === db) this.#inDoubt.delete(id);
  }
}

function idOf({ db, name }: Named): string {
  return `${db}/${name}`;
}
