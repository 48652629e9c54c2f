import { forgetOldest } from '../../base/forget-oldest.ts';
import type { KeyEvent } from '../../signals/keyspace-message.ts';

/** How many written keys are remembered: the newest. One script that acquires touches four keys at most. */
const MOST_WRITTEN = 16;
/** Key events of a key that arrives with its holders and its lease: it was not acquired here. */
export const ARRIVALS: ReadonlySet<string> = new Set(['rename_to', 'move_to', 'copy_to', 'restore']);

/**
 * Detects from key events which key may have become a lock. Every acquire script of Redisson writes the hash and then
 * sets its lease, with no other client's command in between. Most of an application's other hashes never expire.
 *
 *   hincrby orders:42 · expire orders:42       yes
 *   restore orders:42                          yes: it may be a lock that arrives with its holders
 *   hset catalogue                             no
 */
export class Births {
  readonly #written = new Set<string>();

  /** Whether this event completes the pattern of an acquisition, or shows that the key arrived with its content. */
  isBirth({ db, key, event }: KeyEvent): boolean {
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
