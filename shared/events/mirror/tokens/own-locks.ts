import { forgetOldest } from '../../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { nameShape } from '../../names/name-shape.ts';
import { OwnLock } from './own-lock.ts';

const MOST_KEYS = 1000;
const MOST_DECISIONS = 1000;
/** A key that was not set again for this long is no longer offered. */
const OFFERED_FOR: Millis = 600_000;

/**
 * Keys that look like locks an application made itself. Those that are probably locks by what was seen of them become
 * locks; the others are offered to the user. The user may decide about all keys with names of one form.
 */
export class OwnLocks {
  /** Whether the user asked to see all keys that look like own locks. */
  isShown = false;
  /** False if the user configured which keys are locks. */
  isOffered = true;
  /** Whether there were more than the 1000 remembered keys. */
  isMore = false;
  /** What the user decided, by the form of the names. */
  readonly decisions = new Map<string, boolean>();
  /** Called with each name whose commands should be kept from now on. */
  onWatched: (name: string) => void = () => {};
  readonly #keys = new Map<string, OwnLock>();

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  find(db: number, name: string): OwnLock | undefined {
    return this.#keys.get(`${db}/${name}`);
  }

  /** The key, remembered as the newest. It is added if it is not known. */
  take(db: number, name: string): OwnLock {
    const id = `${db}/${name}`;
    const own = this.#keys.get(id) ?? new OwnLock(db, name);
    this.#keys.delete(id);
    this.#keys.set(id, own);
    if (this.#keys.size > MOST_KEYS) this.isMore = true;
    forgetOldest(this.#keys, MOST_KEYS);
    return own;
  }

  /** Stops offering a key, because it is known to be a lock, or known not to be one. */
  forget(db: number, name: string): void {
    this.#keys.delete(`${db}/${name}`);
  }

  /**
   * What the user decided about a key; undefined: nothing. While all are shown, true for every key that was not
   * dismissed.
   */
  decisionOn(name: string): boolean | undefined {
    return this.decisions.get(nameShape(name)) ?? (this.isShown || undefined);
  }

  /** Notes a decision; undefined revokes it. */
  decide(name: string, isLock: boolean | undefined): void {
    const shape = nameShape(name);
    this.decisions.delete(shape);
    if (isLock !== undefined) this.decisions.set(shape, isLock);
    forgetOldest(this.decisions, MOST_DECISIONS);
  }

  /** Every key that is offered at this time, newest first. */
  at(now: RedisTime): OwnLock[] {
    const all = [...this.#keys.values()].reverse();
    return all.filter((own) => isOffer(own) && plusMillis(own.seenAt, OFFERED_FOR) > now && this.#isOpen(own));
  }

  #isOpen({ name }: OwnLock): boolean {
    return this.decisions.get(nameShape(name)) !== false;
  }
}

/** Whether a key is offered. A value that is data may belong to a cache, unless clients are refused again and again. */
function isOffer(own: OwnLock): boolean {
  return !own.isData || own.isContended;
}
