import { forgetOldest } from '../../../shared/base/forget-oldest.ts';
import type { KeyToRead } from '../../redis/reads/key-reads.ts';

const MOST = 1000;
const KEPT_MS = 120_000;
const MOST_SHOWN_OF_NAME = 100;

/**
 * Keys that got a lease and whose value is not a token: it is data, or, if the key is named like a lock, a number or a
 * word. An application may use such a key as a lock, but a cache or a counter looks the same: only commands show the
 * difference.
 */
export class KeysWithData {
  readonly #keys = new Map<string, { readonly name: string; readonly at: number }>();

  add({ db, name }: KeyToRead, now: number): void {
    const id = `${db}/${name}`;
    this.#keys.delete(id);
    this.#keys.set(id, { name, at: now });
    forgetOldest(this.#keys, MOST);
  }

  /** The key is a lock after all. */
  drop({ db, name }: KeyToRead): void {
    this.#keys.delete(`${db}/${name}`);
  }

  /** How many there were in the last two minutes, at most 1,000, and the newest name; undefined: none. */
  at(now: number): { readonly count: number; readonly newest: string } | undefined {
    for (const [id, { at }] of this.#keys) {
      if (at > now - KEPT_MS) break;
      this.#keys.delete(id);
    }
    const newest = [...this.#keys.values()].at(-1);
    return newest && { count: this.#keys.size, newest: newest.name.slice(0, MOST_SHOWN_OF_NAME) };
  }
}
