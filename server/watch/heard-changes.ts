import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import type { BookmarkSignal } from '../../shared/signals/signal.ts';

const MOST = 20_000;

/**
 * Keys whose change was heard and that no read has reached since. Several loops read keys: a scan may reach a new lock
 * before the read that its key event asked for, and would then report a lock that was there before.
 *
 *   hincrby k · expire k · scan reads k │ read of k        the scan's read is the first after the change
 */
export class HeardChanges {
  readonly #keys = new Set<string>();

  /** Notes that a key event reported a change of this key. */
  add(db: number, name: string): void {
    this.#keys.add(`${db}/${name}`);
    forgetOldest(this.#keys, MOST);
  }

  /** The bookmark with `hasChanged` for each key whose change was heard before it; these changes are now read. */
  taken(bookmark: BookmarkSignal): BookmarkSignal {
    if (this.#keys.size === 0) return bookmark;
    const reads = bookmark.reads.map((read) =>
      this.#keys.delete(`${read.db}/${read.name}`) ? { ...read, hasChanged: true } : read,
    );
    return { ...bookmark, reads };
  }
}
