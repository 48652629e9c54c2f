import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { keySlot } from '../../../shared/base/key-slot.ts';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import type { Companion } from '../../../shared/events/kinds/companion.ts';
import { companionsOf, KINDS } from '../../../shared/events/kinds/kinds.ts';
import { channelOf } from '../../../shared/events/mirror/lock-key.ts';
import { isBusy } from '../../redis/connection/reply.ts';
import { pause, wallMs } from '../../redis/connection/surroundings.ts';
import { inReads, type KeyToRead } from '../../redis/reads/key-reads.ts';
import { type Ask, type Beside, bytesOfItems, MOST_BYTES, sizesOf } from '../../redis/reads/key-sizes.ts';
import { permittedPart } from '../../redis/reads/permitted-reads.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { Quarantine, WhyUnread } from '../terms/quarantine.ts';
import { CHARACTERS_PER_MICRO, keysOf, microsOf } from './command-cost.ts';
import type { ReadBudget } from './read-budget.ts';
import { ScanCost } from './scan-cost.ts';

/** Keys whose sizes are asked for together. */
const AT_ONCE = 50;
/** What a read costs Redis (MULTI to EXEC), and each key in it: about `COMMANDS` short commands with the key's name. */
const MICROS_PER_READ = 10;
const MICROS_PER_KEY = 12;
const COMMANDS = 8;

/** While a script keeps Redis busy, the same commands are sent again after this pause. */
const BUSY_PAUSE_MS = 200;

/** Reads keys as bookmarks, within a budget. Keys that are too large to be read are put into quarantine instead. */
export class CarefulReads {
  readonly #feed: OrderedFeed;
  readonly #interpreter: Interpreter;
  readonly #quarantine: Quarantine;
  /** Settles when the read under way has settled: the stream takes one bookmark at a time. */
  #turn: Promise<void> = Promise.resolve();
  /** How often commands were sent again because a script kept Redis busy. */
  #waits = 0;
  isStopped = false;
  readonly scanCost = new ScanCost();

  constructor(feed: OrderedFeed, interpreter: Interpreter, quarantine: Quarantine) {
    this.#feed = feed;
    this.#interpreter = interpreter;
    this.#quarantine = quarantine;
  }

  /** Asks outside the stream's order, once the budget allows, and again until no script keeps Redis busy. */
  askWithin(budget: ReadBudget): Ask {
    return async (...commands) => {
      await this.#wait(budget);
      let replies = await this.#feed.ask(...commands);
      while (replies.some(isBusy) && !this.isStopped) {
        this.#waits++;
        this.#feed.waitsForScript();
        await pause(BUSY_PAUSE_MS);
        replies = await this.#feed.ask(...commands);
      }
      budget.spend(microsOf(commands, replies, this.scanCost.microsPerKey), wallMs());
      for (const words of commands) if (words[0] === 'SCAN') this.scanCost.scanned(keysOf(words));
      return replies;
    };
  }

  /** Reads these keys; settles when their content is in the stream. Returns the keys that had no hash. */
  async read(keys: readonly KeyToRead[], budget: ReadBudget): Promise<ReadonlySet<KeyToRead>> {
    const gone = new Set<KeyToRead>();
    for (const [db, group] of groupedBy(keys, ({ db }) => db)) {
      for (let from = 0; from < group.length; from += AT_ONCE) {
        await this.#readPart(db, group.slice(from, from + AT_ONCE), budget, gone);
      }
    }
    return gone;
  }

  /** Asks for the sizes again if a script kept Redis busy before all keys were read: the script may change them. */
  async #readPart(db: number, keys: readonly KeyToRead[], budget: ReadBudget, gone: Set<KeyToRead>): Promise<void> {
    for (let isRead = false; !isRead && !this.isStopped; ) {
      const waits = this.#waits;
      const small = await this.#smallOf(this.askWithin(budget), db, keys, gone);
      if (this.#waits !== waits) continue;
      isRead = true;
      for (const group of this.#inReads(small)) isRead = (await this.#readTogether(db, group, budget)) && isRead;
    }
  }

  /** Reads a bookmark without keys: only its place in the stream counts. */
  async mark(db: number, budget: ReadBudget): Promise<void> {
    while (!(await this.#readTogether(db, [], budget)) && !this.isStopped) await pause(BUSY_PAUSE_MS);
  }

  /** The keys that are small enough, each with its small companions. Adds keys without a hash to `gone`. */
  async #smallOf(ask: Ask, db: number, keys: readonly KeyToRead[], gone: Set<KeyToRead>): Promise<KeyToRead[]> {
    const now = wallMs();
    const allowed = keys.filter((key) => !this.#quarantine.holds(key, now));
    if (allowed.length === 0) return [];
    const sizes = await sizesOf(
      ask,
      db,
      allowed.map(({ name }) => binaryFromText(name)),
    );
    const small = allowed.flatMap((key, index): KeyToRead[] => {
      const size = sizes[index] ?? 'gone';
      const whole = { ...this.#withKnown(key), bytes: typeof size === 'number' ? size : 0 };
      if (size === 'refused' || !permittedPart(whole, this.#feed.rights)) {
        this.#leaveIfLock(key, now);
        return [];
      }
      if (typeof size === 'object') {
        this.#leave(key, size, now);
        return [];
      }
      this.#quarantine.clear(key, 'hash');
      if (size === 'gone') gone.add(key);
      else gone.delete(key);
      return [whole];
    });
    return this.#withSmallCompanions(ask, db, small);
  }

  /** Lists and sorted sets beside a lock are read if their first items are small. */
  async #withSmallCompanions(ask: Ask, db: number, keys: readonly KeyToRead[]): Promise<KeyToRead[]> {
    const beside = keys.flatMap(({ name, companions = [] }) =>
      companions.flatMap(({ type, keyOf }): Beside[] =>
        type === 'string' ? [] : [{ type, name: binaryFromText(keyOf(name)) }],
      ),
    );
    const found = await bytesOfItems(ask, db, beside);
    const bytes = new Map(beside.map(({ name }, index) => [name, found[index] ?? 0]));
    const now = wallMs();
    return keys.map((key) => {
      const bytesOf = ({ keyOf }: Companion) => bytes.get(binaryFromText(keyOf(key.name))) ?? 0;
      const companions = key.companions?.filter((companion) => bytesOf(companion) <= MOST_BYTES);
      if (!companions || !key.companions) return key;
      if (companions.length < key.companions.length) this.#leave(key, { reason: 'beside', size: 0 }, now);
      else this.#quarantine.clear(key, 'beside');
      const all = companions.reduce((sum, companion) => sum + bytesOf(companion), key.bytes ?? 0);
      return { ...key, companions, bytes: all };
    });
  }

  /** Puts a key into quarantine. */
  #leave(key: KeyToRead, why: WhyUnread, now: number): void {
    const isLock = this.#interpreter.keys.find(key.db, key.name) !== undefined;
    this.#quarantine.put(key, why, this.#feed.now(), now, isLock);
  }

  /** Marks a known lock that this user may no longer read. About any other key, it is known only that it is refused. */
  #leaveIfLock(key: KeyToRead, now: number): void {
    const isLock = this.#interpreter.keys.find(key.db, key.name) !== undefined;
    if (isLock) this.#leave(key, { reason: 'rights', size: 0 }, now);
  }

  /** Groups keys into reads. In a cluster, all keys of a transaction must be in one slot. */
  #inReads(keys: readonly KeyToRead[]): KeyToRead[][] {
    if (!this.#feed.capabilities.isCluster) return inReads(keys);
    return [...groupedBy(keys, ({ name }) => keySlot(name)).values()].flatMap(inReads);
  }

  /** Returns false if a script kept Redis busy, so that nothing was read. */
  async #readTogether(db: number, keys: readonly KeyToRead[], budget: ReadBudget): Promise<boolean> {
    await this.#wait(budget); // before the turn is taken: a scan that waits for its budget must not hold up changes
    const before = this.#turn;
    const { promise, resolve } = withResolvers();
    this.#turn = promise;
    try {
      await before;
      if (this.isStopped) return true;
      const tooLong = await this.#feed.read(db, keys);
      const now = wallMs();
      budget.spend(microsOfRead(keys), now);
      if (tooLong === 'busy') return false;
      for (const key of tooLong) this.#leave(key, { reason: 'reply', size: 0 }, now);
      return true;
    } finally {
      resolve();
    }
  }

  async #wait(budget: ReadBudget): Promise<void> {
    for (let ms = budget.pauseMs(wallMs()); ms > 0 && !this.isStopped; ms = budget.pauseMs(wallMs())) {
      await pause(Math.min(ms, 100));
    }
  }

  /** The key with the channel of its waiters and with its companion keys. */
  #withKnown(key: KeyToRead): KeyToRead {
    const known = this.#interpreter.keys.find(key.db, key.name);
    const channel = key.channel ?? (known && channelOf(known));
    const place = channel === undefined ? key : { ...key, channel };
    const companions = key.string && !known ? (KINDS['token-lock'].companions ?? []) : companionsOf(known);
    if (!this.#feed.capabilities.isCluster) return { ...place, companions };
    const slot = keySlot(key.name);
    return { ...place, companions: companions.filter(({ keyOf }) => keySlot(keyOf(key.name)) === slot) };
  }
}

/** What this read costs Redis at most, in µs. */
function microsOfRead(keys: readonly KeyToRead[]): number {
  const perKey = keys.map(
    ({ name, bytes = 0 }) => MICROS_PER_KEY + (name.length * COMMANDS + bytes) / CHARACTERS_PER_MICRO,
  );
  return perKey.reduce((sum, micros) => sum + micros, MICROS_PER_READ);
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
