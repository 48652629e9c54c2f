import type { RedisTime } from '../../../shared/base/time.ts';
import type { Source } from '../../../shared/wire/source.ts';

type KeyName = { readonly db: number; readonly name: string };
type Unread = NonNullable<Source['unread']>['first'][number];
/** Why a key is not read, and how many fields or bytes it has; 0 if that is not known. */
export type WhyUnread = Pick<Unread, 'reason' | 'size'>;
type Entry = KeyName & { why: WhyUnread; readonly since: RedisTime; pauseMs: number; lookAfter: number };

const FIRST_PAUSE_MS = 5000;
const LAST_PAUSE_MS = 600_000;
/** Known locks are looked at more often, since what is shown about them may be wrong. */
const LAST_PAUSE_OF_LOCK_MS = 20_000;
/** Names of keys may be long: together they have at most this many characters, unless the newest alone has more. */
const OTHERS = { keys: 1000, characters: 4_000_000 };
/** Known locks have more room: 10,000 that are too large have at least 40 million fields or 10 GB together. */
const LOCKS = { keys: 10_000, characters: 32_000_000 };
const MOST_SHOWN = 10;
const MOST_NAME_CHARACTERS = 200;

/**
 * Keys that are too large to be read, and known locks that this user may no longer read. Outlives connections.
 *
 * - A key that is too large is looked at again after a pause that doubles.
 * - If only the list of waiters or permits is too large, the entry has the reason `beside`, and the hash of the lock is
 *   still read.
 */
export class Quarantine {
  readonly #locks = new Entries(LOCKS);
  readonly #others = new Entries(OTHERS);

  get isEmpty(): boolean {
    return this.#locks.isEmpty && this.#others.isEmpty;
  }

  /**
   * Notes that a key is not read, from this Redis time on, and why. If this was noted before, the earlier time stays.
   * `isLock`: it is a known lock.
   */
  put(key: KeyName, why: WhyUnread, at: RedisTime, now: number, isLock: boolean): void {
    const { db, name } = key;
    const known = this.#find(key);
    const isSame = known !== undefined && isBeside(known) === (why.reason === 'beside');
    const doubled = isSame ? known.pauseMs * 2 : FIRST_PAUSE_MS;
    const pauseMs = Math.min(doubled, isLock ? LAST_PAUSE_OF_LOCK_MS : LAST_PAUSE_MS);
    const entry = { db, name, why, since: isSame ? known.since : at, pauseMs, lookAfter: now + pauseMs };
    this.#forget(key);
    (isLock ? this.#locks : this.#others).add(entry);
  }

  /** Whether the hash of this key must not be looked at yet. */
  holds(key: KeyName, now: number): boolean {
    const entry = this.#find(key);
    // Whether this user may read a key by now is known without asking Redis.
    return entry !== undefined && !isBeside(entry) && entry.why.reason !== 'rights' && entry.lookAfter > now;
  }

  /** Notes that this part of the key is small enough, or gone. */
  clear(key: KeyName, part: 'hash' | 'beside'): void {
    const entry = this.#find(key);
    if (entry && isBeside(entry) === (part === 'beside')) this.#forget(key);
  }

  /** Keys whose pause is over. */
  due(now: number): KeyName[] {
    return [...this.#locks.all(), ...this.#others.all()].filter(({ lookAfter }) => lookAfter <= now);
  }

  /** Every known lock that is not read, or only without its list of waiters or permits. */
  locks(isLock: (key: KeyName) => boolean): UnreadLock[] {
    const found = [...this.#locks.all(), ...this.#others.all()].filter(isLock);
    return found.map(({ db, name, why, since }) => ({ db, name, reason: why.reason, since }));
  }

  /** The keys that are not read, as a source reports them; `undefined` if there are no such keys. */
  report(isLock: (key: KeyName) => boolean): Source['unread'] {
    if (this.isEmpty) return undefined;
    const all = [...this.#locks.all(), ...this.#others.all()].map((entry) => ({ entry, isLock: isLock(entry) }));
    const locksFirst = [...all.filter((each) => each.isLock), ...all.filter((each) => !each.isLock)];
    return {
      count: all.length,
      first: locksFirst.slice(0, MOST_SHOWN).map(({ entry: { db, name, why, since }, isLock: isKnownLock }) => ({
        ...{ db, name: name.slice(0, MOST_NAME_CHARACTERS), ...why, since, isKnownLock },
      })),
    };
  }

  #find(key: KeyName): Entry | undefined {
    return this.#locks.find(key) ?? this.#others.find(key);
  }

  #forget(key: KeyName): void {
    this.#locks.delete(key);
    this.#others.delete(key);
  }
}

/** A known lock that is not read, and why. */
export type UnreadLock = KeyName & { readonly reason: WhyUnread['reason']; readonly since: RedisTime };

function idOf({ db, name }: KeyName): string {
  return `${db}/${name}`;
}

function isBeside({ why }: Entry): boolean {
  return why.reason === 'beside';
}

/** Entries within a bound: the oldest is dropped first, the newest never. */
class Entries {
  readonly #most: typeof OTHERS;
  readonly #byId = new Map<string, Entry>();
  #characters = 0;

  constructor(most: typeof OTHERS) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  add(entry: Entry): void {
    this.#byId.set(idOf(entry), entry);
    this.#characters += entry.name.length;
    for (const oldest of this.#byId.values()) {
      const { size } = this.#byId;
      if (size <= this.#most.keys && (this.#characters <= this.#most.characters || size === 1)) break;
      this.delete(oldest);
    }
  }

  find(key: KeyName): Entry | undefined {
    return this.#byId.get(idOf(key));
  }

  delete(key: KeyName): void {
    if (this.#byId.delete(idOf(key))) this.#characters -= key.name.length;
  }

  all(): IterableIterator<Entry> {
    return this.#byId.values();
  }
}
