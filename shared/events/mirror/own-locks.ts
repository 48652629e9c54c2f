import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { Untold } from './token-mirror.ts';

const MOST_KEYS = 1000;
/** A key that was not set again for this long is no longer offered. */
const OFFERED_FOR: Millis = 600_000;

/** A key that looks like a lock, but not of a known library, with the newest attempt on it. */
export type OwnLock = { readonly db: number; readonly name: string; readonly attempt: Untold };

/**
 * Keys that applications set with `SET key value NX PX ms` and that look like locks they made themselves. A cache uses
 * the same command, so they are offered to the user, and become locks only if the user asks for them.
 */
export class OwnLocks {
  /** Whether the user asked to see them. */
  isShown = false;
  /** False if the user configured which keys are locks. */
  isOffered = true;
  /** Whether there were more than the 1000 remembered keys. */
  isMore = false;
  readonly #keys = new Map<string, OwnLock>();

  note(db: number, name: string, attempt: Untold): void {
    if (!this.isOffered) return;
    const id = `${db}/${name}`;
    this.#keys.delete(id);
    this.#keys.set(id, { db, name, attempt });
    if (this.#keys.size > MOST_KEYS) this.isMore = true;
    forgetOldest(this.#keys, MOST_KEYS);
  }

  /** The key is known to be a lock, or is gone. */
  forget(db: number, name: string): void {
    this.#keys.delete(`${db}/${name}`);
  }

  /** All keys that are offered at this time, newest first. */
  at(now: RedisTime): OwnLock[] {
    const all = [...this.#keys.values()].reverse();
    return all.filter(({ attempt }) => plusMillis(attempt.at, OFFERED_FOR) > now);
  }

  clear(): void {
    this.#keys.clear();
    this.isMore = false;
  }
}
