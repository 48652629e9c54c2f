import { forgetOldest } from '../../base/forget-oldest.ts';
import type { KeyEvent } from '../../signals/keyspace-message.ts';

/** Keys written by the newest commands. One script that acquires touches four keys at most. */
const MOST_WRITTEN = 16;
/** Key events of a key that arrives with its holders and its lease: it was not acquired here. */
export const ARRIVALS: ReadonlySet<string> = new Set(['rename_to', 'move_to', 'copy_to', 'restore']);

/**
 * Detects from key events which key may have become a lock. Every acquire script writes the hash and then sets its
 * lease, with no other client's command in between. Most of an application's other hashes never expire.
 *
 *   hincrby orders:42 · expire orders:42       yes
 *   hset catalogue                             no
 */
export class Births {
  readonly #written = new Set<string>();

  /** Whether this event completes the pattern of an acquisition. */
  isOne({ db, key, event }: KeyEvent): boolean {
    if (ARRIVALS.has(event)) return true;
    const id = `${db}/${key}`;
    if (event === 'hset' || event === 'hincrby') {
      this.#written.delete(id);
      this.#written.add(id);
      forgetOldest(this.#written, MOST_WRITTEN);
      return false;
    }
    return event === 'expire' && this.#written.delete(id);
  }
}
