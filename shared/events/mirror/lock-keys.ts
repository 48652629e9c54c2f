import { type RedisTime, redisTime } from '../../base/time.ts';
import { isCounterKind } from '../kinds/kinds.ts';
import { fieldOf } from '../names/names.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { type Field, holdersOf, type LockKey, newLockKey } from './lock-key.ts';

type NewField = Pick<Field, 'count' | 'mode' | 'acquiredSeq'>;

/** Memory of one key, here and in related tables, in bytes: measured, rounded up. */
const KEY_BYTES = 520;
const MOST_OTHER_NAMES = 10_000;
const MOST_DATABASES = 16;
/** Held keys may take this multiple of `mostBytes`. */
const HELD_TIMES = 1.9;
/**
 * The share of `mostBytes` that one eviction frees. Each eviction goes through all keys, so there must be few
 * evictions.
 */
const EVICTED_PART = 0.05;

/** A lock's key in one database, with the fields of its holders. */
type HeldIn = Pick<LockKey, 'db' | 'name'> & { readonly holders: { has(field: string): boolean } };

/**
 * A mirror of the lock keys of one Redis: what they must contain after the commands and reads seen so far.
 *
 * MONITOR does not show replies, so the count after an `hincrby` and the TTL in a reply are computed from this mirror.
 */
export class LockKeys {
  readonly #byDb = new Map<number, Map<string, LockKey>>();
  /** Every key with a holder, and some keys whose holders are already gone. */
  readonly #held = new Set<LockKey>();
  readonly #dropNext: LockKey[] = [];
  /** The most memory that all keys may take, in estimated bytes. */
  mostBytes: number;
  #bytes = 0;
  /** Below this size eviction is not attempted: the last one found nothing further to evict. */
  #evictAbove = 0;
  /** Locks by database and the lock name in their companion keys, if it differs from their own. */
  readonly #otherNames = new Map<string, string>();
  /** Semaphores and latches that are read in each round, because they exist without a holder. */
  readonly counters = new Set<LockKey>();
  /** Fair locks in whose queue a read found waiters, held or free. */
  readonly queued = new Set<LockKey>();
  /** Stream time. */
  now: RedisTime = redisTime(0);
  /** Called with every lock that becomes known, and again when its kind does. */
  onNew: (key: LockKey) => void = () => {};
  /**
   * Called with every dropped key, and with every evicted key that is held or a counter: its release cannot be
   * interpreted later.
   */
  onEvicted: (key: LockKey) => void = () => {};

  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.mostBytes = mostBytes;
  }

  /** The key; undefined if this name was never seen as a lock, or if its key was evicted or dropped. */
  find(db: number, name: string): LockKey | undefined {
    return this.#byDb.get(db)?.get(name);
  }

  /**
   * The lock's name for a name read from a channel or a companion key. Locks named `{a}` and `a` share these, so the
   * known one is returned. The name may also be one noted by `callBeside`.
   */
  nameFrom(db: number, derived: string): string {
    if (this.find(db, derived)) return derived;
    const braced = `{${derived}}`;
    return this.find(db, braced) ? braced : (this.#otherNames.get(`${db}/${derived}`) ?? derived);
  }

  /** The lock of a channel, which has no database: looked for in `db` first, then in databases 0 to 15. */
  about(db: number, derived: string): LockKey | undefined {
    for (let n = -1; n < MOST_DATABASES; n++) {
      const other = n === -1 ? db : n;
      const known = this.find(other, this.nameFrom(other, derived));
      if (known) return known;
    }
    return undefined;
  }

  /** The keys of other databases with this name and one of these holders: SWAPDB exchanges whole databases. */
  twinsOf({ db, name, holders }: HeldIn): LockKey[] {
    return [...this.#byDb].flatMap(([other, keys]) => {
      const twin = other === db ? undefined : keys.get(name);
      return twin && [...twin.holders.keys()].some((holder) => holders.has(holder)) ? [twin] : [];
    });
  }

  /** Notes that a lock's companion keys use another name than its own. */
  callBeside({ db, name }: LockKey, derived: string): void {
    if (this.#otherNames.size < MOST_OTHER_NAMES) this.#otherNames.set(`${db}/${derived}`, name);
  }

  /** Returns the key, created empty if it was never seen. Keys are evicted if they take too much memory. */
  take(db: number, name: string, kind: LockKind, watchEpoch: number): LockKey {
    const known = this.find(db, name);
    if (known) return known;
    this.#bytes += bytesOf(name);
    this.#makeRoom();
    const key = newLockKey(db, name, kind, watchEpoch);
    const keys = this.#byDb.get(db);
    if (keys) keys.set(name, key);
    else this.#byDb.set(db, new Map([[name, key]]));
    if (isCounterKind(kind)) this.counters.add(key);
    this.onNew(key);
    return key;
  }

  /** Notes that this holder now holds the lock, with this count. */
  hold(key: LockKey, holder: string, { count, mode, acquiredSeq }: NewField): void {
    const name = fieldOf(holder, mode);
    const holders = holdersOf(key);
    const before = holders.get(name);
    const field: Field = { count, mode, acquiredSeq, since: before?.since ?? this.now };
    if (before?.renewedMs !== undefined && before.renewedMs === key.leaseMs) field.renewedMs = before.renewedMs;
    if (before?.notRunAt !== undefined) field.notRunAt = before.notRunAt;
    holders.set(name, field);
    key.lost?.delete(name);
    if (key.mirrors?.isOtherType) key.mirrors.isOtherType = false;
    if (key.mirrors?.mayBeTaken) key.mirrors.mayBeTaken = undefined;
    key.isSeen = true;
    this.#held.add(key);
  }

  /** Every key with a holder, in one database or in all. */
  *held(db?: number): Generator<LockKey> {
    for (const key of this.#held) {
      if (key.holders.size === 0) this.#held.delete(key);
      else if (db === undefined || key.db === db) yield key;
    }
  }

  /** Adds every remembered semaphore and latch to `counters`: one that was gone may exist again. */
  expectCounters(): void {
    for (const key of this.all()) if (isCounterKind(key.kind)) this.counters.add(key);
  }

  /** Every remembered key, in one database or in all. */
  *all(db?: number): Generator<LockKey> {
    for (const [number, keys] of this.#byDb) if (db === undefined || number === db) yield* keys.values();
  }

  /** The keys with this name in all databases. */
  *named(name: string): Generator<LockKey> {
    for (const keys of this.#byDb.values()) {
      const key = keys.get(name);
      if (key) yield key;
    }
  }

  /** Drops a key at the next step, because a recording still has to keep what this step did to the key. */
  dropNext(key: LockKey): void {
    this.#dropNext.push(key);
  }

  beginStep(): void {
    for (const key of this.#dropNext.splice(0)) if (this.find(key.db, key.name) === key) this.drop(key);
  }

  /** Removes a key and calls `onEvicted`: nothing is known about it any longer. */
  drop(key: LockKey): void {
    this.#byDb.get(key.db)?.delete(key.name);
    this.counters.delete(key);
    this.queued.delete(key);
    this.#held.delete(key);
    this.#bytes -= bytesOf(key.name);
    this.onEvicted(key);
  }

  /** The memory of all keys, in estimated bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Whether held keys alone exceed the limit by half: then newly found keys are not worth the keys that they would
   * evict.
   */
  get isFull(): boolean {
    return this.#bytes > 1.5 * this.mostBytes;
  }

  /** Evicts free keys, oldest first; then held keys too, if those alone take over 1.9 times the limit. */
  #makeRoom(): void {
    if (this.#bytes <= Math.max(this.mostBytes, this.#evictAbove)) return;
    const step = EVICTED_PART * this.mostBytes;
    const target = this.mostBytes - step;
    this.#evict(target, (key) => key.holders.size === 0);
    this.#evict(HELD_TIMES * this.mostBytes, () => true);
    this.#evictAbove = this.#bytes > target ? this.#bytes + step : 0;
  }

  /**
   * Evicts keys until the rest fits into `target`. The keys that stay keep their places: moving them to the end would
   * double the size of the map.
   */
  #evict(target: number, mayGo: (key: LockKey) => boolean): void {
    for (const keys of this.#byDb.values()) {
      for (const [name, key] of keys) {
        if (this.#bytes <= target) return;
        if (!mayGo(key)) continue;
        keys.delete(name);
        this.#forget(key);
      }
    }
  }

  #forget(key: LockKey): void {
    const isCounter = this.counters.delete(key);
    this.queued.delete(key);
    this.#held.delete(key);
    this.#bytes -= bytesOf(key.name);
    if (isCounter || key.holders.size > 0) this.onEvicted(key);
  }
}

function bytesOf(name: string): number {
  return KEY_BYTES + 3 * name.length;
}
