import { forgetOldest } from '../../../base/forget-oldest.ts';
import { keyOfPart, partOfLock } from '../../names/several-keys.ts';
import type { Unreported } from './token-mirror.ts';

const MOST_PREFIXES = 1000;
const MOST_LOCKS = 1000;
const MOST_ATTEMPTS = 20;

/**
 * The part of a lock that an action on one of its keys concerns: the lock itself, a key before or after the one that
 * decides, or not known yet.
 */
type Place = 'lock' | 'before' | 'after' | 'unknown';

/**
 * Locks of rueidislock, which have an odd number of keys in one Redis: 3, or 1. A client that has the majority has the
 * lock.
 *
 *   attempt by T   key 0 ─ set ─► key 1 ─ set ─► key 2     it ends at the first key that another token has
 *                                 ▲ now T has 2 of 3
 *
 * So the key in the middle decides, and Lockscope shows the lock under this key's name: a token in this key was first
 * set in all keys before it. Only the use of the keys shows how many there are. All clients of a prefix use the same
 * number.
 */
export class SeveralKeys {
  /** By prefix: the highest index that was seen, and whether key 0 alone is a whole lock. */
  readonly #prefixes = new Map<string, { last: number; isAlone: boolean }>();
  /** By database and key: attempts on key 0 while it may be the only one, the newest 20 of each. */
  readonly #unreported = new Map<string, Unreported[]>();

  /** Notes that a client uses this key. */
  note(key: string): void {
    const part = partOfLock(key);
    if (!part) return;
    const known = this.#prefixes.get(part.prefix) ?? { last: 0, isAlone: false };
    this.#prefixes.set(part.prefix, known);
    if (part.index > known.last) {
      known.last = part.index;
      known.isAlone = false;
      this.#forgetUnreported(part.prefix);
    }
    forgetOldest(this.#prefixes, MOST_PREFIXES);
  }

  /**
   * A token renewed or released key 0. If no client has used another key since that token's attempt, key 0 is a whole
   * lock. Returns whether that is new.
   */
  noteOwn(db: number, key: string, token: string | undefined): boolean {
    const known = this.#prefixes.get(partOfLock(key)?.prefix ?? '');
    if (known?.last !== 0 || known.isAlone) return false;
    if (!this.#unreported.get(`${db}/${key}`)?.some((attempt) => attempt.token === token)) return false;
    known.isAlone = true;
    return true;
  }

  placeOf(key: string): Place {
    const part = partOfLock(key);
    const known = this.#prefixes.get(part?.prefix ?? '');
    if (!part || !known) return 'lock';
    if (known.last === 0) return known.isAlone ? 'lock' : 'unknown';
    const middle = Math.ceil(known.last / 2);
    return part.index === middle ? 'lock' : part.index < middle ? 'before' : 'after';
  }

  /** The key under whose name Lockscope shows the lock of this key: the one in the middle. */
  lockOf(key: string): string {
    const part = partOfLock(key);
    const last = this.#prefixes.get(part?.prefix ?? '')?.last ?? 0;
    return part ? keyOfPart(part, Math.ceil(last / 2)) : key;
  }

  #forgetUnreported(prefix: string): void {
    for (const id of this.#unreported.keys()) {
      if (partOfLock(id.slice(id.indexOf('/') + 1))?.prefix === prefix) this.#unreported.delete(id);
    }
  }

  /** Keeps an attempt on a key that may be the only one of its lock. */
  keep(db: number, key: string, attempt: Unreported): void {
    const id = `${db}/${key}`;
    const unreported = this.#unreported.get(id) ?? [];
    unreported.push(attempt);
    unreported.splice(0, unreported.length - MOST_ATTEMPTS);
    this.#unreported.set(id, unreported);
    forgetOldest(this.#unreported, MOST_LOCKS);
  }

  /** Removes and returns the attempts kept for keys that are now known to be whole locks. */
  keptForLocks(): { readonly db: number; readonly name: string; readonly attempts: readonly Unreported[] }[] {
    return [...this.#unreported].flatMap(([id, attempts]) => {
      const slash = id.indexOf('/');
      const name = id.slice(slash + 1);
      if (this.placeOf(name) !== 'lock') return [];
      this.#unreported.delete(id);
      return [{ db: Number(id.slice(0, slash)), name, attempts }];
    });
  }
}
