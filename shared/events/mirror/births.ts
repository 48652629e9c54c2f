import { forgetOldest } from '../../base/forget-oldest.ts';
import type { KeyEvent } from '../../signals/keyspace-message.ts';

/** Keys written by the newest commands. One script that acquires touches four keys at most. */
const MOST_WRITTEN = 16;
/** A key that comes with its lease. */
const WHOLE = new Set(['rename_to', 'restore']);

/**
 * Sees from key events which key may have become a lock. Every script that acquires writes the hash and then sets its
 * lease, with nothing of other clients in between; most hashes of an application never expire.
 *
 *   hincrby orders:42 · expire orders:42       yes
 *   hset catalogue                             no
 */
export class Births {
  readonly #written = new Set<string>();

  /** Whether this event completes what a lock's acquisition looks like. */
  isOne({ db, key, event }: KeyEvent): boolean {
    if (WHOLE.has(event)) return true;
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
