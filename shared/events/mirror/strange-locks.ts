import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { StrangeForm } from '../types/strange-form.ts';

const MOST_KEYS = 1000;
/** A key that was not used again for this long is no longer counted. */
const COUNTED_FOR: Millis = 600_000;

type Strange = { readonly name: string; readonly form: StrangeForm; readonly at: RedisTime };
type Kept = Strange & { readonly db: number };

/**
 * What follows the name of the lock in the name of a key beside it, for example `lock:orders:fence`, a counter of
 * fencing tokens.
 */
const BESIDE =
  /[:._-](?:fenc(?:e|ing)(?:[-_]?tokens?)?|tokens?|seq(?:uence)?|count(?:er)?|epoch|version|queue|wait(?:ers|ing)|notify|signal)$/i;

/** Whether a name has the form of a companion key, which begins with the name of its lock. */
export function isNameBeside(name: string): boolean {
  return BESIDE.test(name);
}

/**
 * The endings that the lock's own name may have instead of that of a key beside it. For example, py-redis-semaphore has
 * `semaphore:orders:owners` with the holders beside `semaphore:orders:queue`.
 */
const LOCK_OF = ['', ':owners', ':holders', ':lock'];

type IsLock = (db: number, name: string) => boolean;
type StrangeOfForm = { readonly form: StrangeForm; readonly count: number; readonly newest: string };

/** Keys that look like locks of a form that is not understood, the newest 1000. */
export class StrangeLocks {
  readonly #keys = new Map<string, Kept>();
  /** By the list that wakes waiters of a lock: that lock, whose form is understood. */
  readonly #signals = new Map<string, string>();

  /** Notes that a release of this lock wakes waiters by this list: the list is not a lock. */
  noteSignal(db: number, name: string, lock: string): void {
    const id = `${db}/${name}`;
    this.#keys.delete(id);
    this.#signals.set(id, lock);
    forgetOldest(this.#signals, MOST_KEYS);
  }

  /** The lock whose release was seen to wake waiters by this list. */
  lockOf(db: number, list: string): string | undefined {
    return this.#signals.get(`${db}/${list}`);
  }

  note(db: number, strange: Strange): void {
    const id = `${db}/${strange.name}`;
    this.#keys.delete(id);
    if (this.#signals.has(id)) return;
    this.#keys.set(id, { ...strange, db });
    forgetOldest(this.#keys, MOST_KEYS);
  }

  has(db: number, name: string): boolean {
    return this.#keys.has(`${db}/${name}`);
  }

  /**
   * The keys that were used in the last 10 minutes, by their form: how many, and the newest one. A key beside a lock is
   * left out, because the lock shows its holder.
   */
  at(now: RedisTime, isLock: IsLock = () => false): StrangeOfForm[] {
    const isBeside = ({ db, name }: Kept) =>
      BESIDE.test(name) && LOCK_OF.some((end) => isLock(db, name.replace(BESIDE, end)));
    const kept = [...this.#keys.values()].reverse();
    const used = kept.filter((key) => plusMillis(key.at, COUNTED_FOR) > now && !isBeside(key));
    return [...new Set(used.map(({ form }) => form))].map((form) => {
      const names = used.filter((key) => key.form === form).map(({ name }) => name);
      return { form, count: names.length, newest: names[0] ?? '' };
    });
  }
}
