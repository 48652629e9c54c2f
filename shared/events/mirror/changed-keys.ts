import { forgetOldest } from '../../base/forget-oldest.ts';
import type { KeyEvent } from '../../signals/keyspace-message.ts';
import type { BookmarkSignal } from '../../signals/signal.ts';
import { companionFrom } from '../kinds/kinds.ts';
import { isLockName } from '../libraries/token-found.ts';
import { isHashOfJobs } from '../libraries/unique-jobs.ts';
import { isLatchKey, latchFromKey } from '../names/names.ts';
import { ARRIVALS, Births } from './births.ts';
import type { LockKeys } from './lock-keys.ts';

/** Events after which a key must be read to learn its new content. */
const CHANGES = new Set([
  ...['hset', 'hincrby', 'hdel', 'expire', 'persist', 'set', 'append', 'setrange', 'type_changed'],
  ...ARRIVALS,
]);
const GONE = new Set(['del', 'unlink', 'expired', 'evicted', 'rename_from', 'move_from', 'type_changed']);
const MOST_BORN = 20_000;

/**
 * Decides from key events which keys must be read, and remembers which keys were written like an acquisition.
 * Several loops read keys: a scan may reach a new lock before the read that its key event asked for.
 *
 *   hincrby k · expire k · scan reads k │ read of k        the scan's read is the first after the acquisition
 *   hincrby k · expire k · set latch of k                  an unlock that left a count, not an acquisition
 */
export class ChangedKeys {
  readonly #keys: LockKeys;
  readonly #births = new Births();
  readonly #born = new Set<string>();
  /** Unknown keys that got a lease, and those of them that are gone since: the newest 20,000 of each. */
  readonly #leased = new Set<string>();
  readonly #ended = new Set<string>();
  /** The key that arrived last: a lease that is set right after is not new, the key already had it. */
  #arrived: string | undefined;

  constructor(keys: LockKeys) {
    this.#keys = keys;
  }

  /**
   * Takes the next key event. `hasSeenAll`: a scan has looked at every key, so an unknown key that is named like a lock
   * did not exist before. Returns:
   *
   * - `changed`: this key must be read.
   * - `doubtful`: a known lock whose name looks like that of an unlock latch, so its expected content may be wrong.
   * - `leased`: an unknown key got a lease without a write to a hash before, as SET with a lease does.
   * - undefined: nothing need be read.
   */
  hear(event: KeyEvent, hasSeenAll = false): 'changed' | 'doubtful' | 'leased' | undefined {
    const { db, key } = event;
    const known = this.#keys.find(db, key);
    if (isLatchKey(key)) {
      const { lock = key } = latchFromKey(key) ?? {};
      // Locks named `{a}` and `a` have the same latches.
      for (const name of [lock, `{${lock}}`]) this.#born.delete(`${db}/${name}`);
      return known ? 'doubtful' : undefined;
    }
    const isBirth = this.#births.isBirth(event);
    const isArrival = ARRIVALS.has(event.event);
    const isLeaseOfArrival = event.event === 'expire' && this.#arrived === `${db}/${key}`;
    this.#arrived = isArrival ? `${db}/${key}` : undefined;
    const isJob = !known && hasSeenAll && event.event === 'hset' && isHashOfJobs(key);
    if ((isBirth && !isArrival) || isJob) this.#bear(`${db}/${key}`);
    if (GONE.has(event.event)) this.#born.delete(`${db}/${key}`);
    if (!known && GONE.has(event.event) && this.#leased.delete(`${db}/${key}`)) keep(this.#ended, `${db}/${key}`);
    if (!known && event.event === 'expire' && !isBirth) {
      const id = `${db}/${key}`;
      // A renewal looks the same: only a key that is known to have been missing was acquired.
      const wasMissing = this.#ended.delete(id) || (hasSeenAll && isLockName(key));
      if (wasMissing && !isLeaseOfArrival) this.#bear(id);
      keep(this.#leased, id);
      return 'leased';
    }
    if (CHANGES.has(event.event)) return known || isBirth || isHashOfJobs(key) ? 'changed' : undefined;
    return event.event !== 'expired' && companionFrom(key) ? 'changed' : undefined;
  }

  /** The bookmark with `hasChanged` for each key that was written like an acquisition since it was last read. */
  taken(bookmark: BookmarkSignal): BookmarkSignal {
    if (this.#born.size === 0) return bookmark;
    const reads = bookmark.reads.map((read) =>
      this.#born.delete(`${read.db}/${read.name}`) ? { ...read, hasChanged: true } : read,
    );
    return { ...bookmark, reads };
  }

  #bear(id: string): void {
    keep(this.#born, id);
  }
}

function keep(ids: Set<string>, id: string): void {
  ids.delete(id);
  ids.add(id);
  forgetOldest(ids, MOST_BORN);
}
