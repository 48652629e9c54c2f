import { binaryFromText } from '../../shared/base/bytes-text.ts';
import { keySlot } from '../../shared/base/key-slot.ts';
import type { Interpreter } from '../../shared/events/interpreter.ts';
import type { LockKey } from '../../shared/events/lock-keys.ts';
import { isLatchKey } from '../../shared/events/names.ts';
import { companionFrom, companionsOf, TOKEN_COMPANIONS } from '../../shared/events/recognise/families.ts';
import { keyEventFromPush } from '../../shared/signals/keyspace-message.ts';
import type { PushSignal } from '../../shared/signals/signal.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { LockFinder } from '../redis/find-locks.ts';
import { inReads, type KeyToRead } from '../redis/key-reads.ts';
import type { OrderedFeed } from '../redis/ordered-feed.ts';

type Options = {
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly ownDb: number;
  readonly keyEvents: Source['keyEvents'];
};

const ROUND_MS: Record<ObserveLevel, number> = { monitor: 10_000, events: 10_000, snapshot: 2000 };
const LOOK_MS = 100;
/** A lease this far past its end is asked about: reading its key makes Redis say `expired` at once. */
const OVERDUE_MS = 150;
/** Bounds of one round, so that watching costs the server the same however many keys it has. */
const MOST_READ_PER_ROUND = 2000;
const MOST_SCANNED_FIRST = 200_000;
const MOST_SCANNED_PER_ROUND = 5000;
const MOST_TRACKED = 1000;
const FORGET_NON_LOCKS_MS = 60_000;

/** Events after which a key must be read to know what became of it. */
const CHANGES = new Set(['hset', 'hincrby', 'hdel', 'expire', 'persist', 'rename_to', 'restore', 'set']);
/** Of those, the ones that can make a key a lock. */
const BIRTHS = new Set(['hset', 'hincrby', 'rename_to', 'restore']);

/** Decides which keys are read when: at the start, every round, and whenever something says that a key changed. */
export class KeyReader {
  readonly #feed: OrderedFeed;
  readonly #interpreter: Interpreter;
  readonly #options: Options;
  readonly #finder: LockFinder;
  readonly #dirty = new Map<string, KeyToRead>();
  readonly #nonLocks = new Map<string, number>();
  readonly #tracked = new Set<string>();
  readonly #untracked = new Set<string>();
  #isStopped = false;
  #nextRound = 0;

  constructor(feed: OrderedFeed, interpreter: Interpreter, options: Options) {
    this.#feed = feed;
    this.#interpreter = interpreter;
    this.#options = options;
    this.#finder = new LockFinder((...commands) => feed.ask(...commands), options.match, feed.capabilities.isSharded);
  }

  /** Runs until `stop`; rejects when the connection is lost. */
  async run(): Promise<void> {
    await this.#round(MOST_SCANNED_FIRST);
    while (!this.#isStopped) {
      this.#nextRound = Date.now() + ROUND_MS[this.#options.level];
      while (!this.#isStopped && Date.now() < this.#nextRound) {
        await new Promise((resolve) => setTimeout(resolve, this.#dirty.size > 0 ? 2 : LOOK_MS));
        this.#addOverdue();
        await this.#readDirty();
      }
      if (!this.#isStopped) await this.#round(MOST_SCANNED_PER_ROUND);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Begins the next round now: what is served here has changed. */
  lookAround(): void {
    this.#nextRound = 0;
  }

  /** A lock's name became known: with client tracking, the server must be told to tell us of it. */
  known(key: LockKey): void {
    if (this.#options.keyEvents !== 'tracking') return;
    for (const name of [key.name, ...companionsOf(key).map(({ keyOf }) => keyOf(key.name))]) {
      if (this.#tracked.size < MOST_TRACKED && !this.#tracked.has(name)) this.#untracked.add(name);
    }
  }

  /** A key event at level `events`: the interpreter knows what `del` means; of the others only a read can tell. */
  heard(push: PushSignal): void {
    if (this.#options.level !== 'events') return;
    const event = keyEventFromPush(push);
    if (!event || isLatchKey(event.key)) return;
    if (!CHANGES.has(event.event)) {
      const beside = companionFrom(event.key);
      if (beside && event.event !== 'expired')
        this.changed(event.db, this.#interpreter.keys.nameFrom(event.db, beside.lock));
      return;
    }
    const isKnown = this.#interpreter.keys.find(event.db, event.key) !== undefined;
    if (isKnown || BIRTHS.has(event.event)) this.changed(event.db, event.key);
  }

  /** Something said that this key changed. */
  changed(db: number, key: string): void {
    const beside = companionFrom(key);
    const { keys } = this.#interpreter;
    const lock = beside && keys.nameFrom(db, beside.lock);
    const isBeside = lock !== undefined && (!beside?.isCommonName || keys.find(db, lock) !== undefined);
    const name = isBeside ? lock : key;
    const id = `${db}/${name}`;
    const forgetAt = this.#nonLocks.get(id);
    if (forgetAt !== undefined && forgetAt > Date.now()) return;
    this.#nonLocks.delete(id);
    this.#dirty.set(id, { db, name, hasChanged: true });
  }

  /** What we believe of this key may be wrong. */
  doubt(key: LockKey): void {
    this.#dirty.set(`${key.db}/${key.name}`, { db: key.db, name: key.name, hasChanged: false });
  }

  async #round(budget: number): Promise<void> {
    const { keys, waits } = this.#interpreter;
    const found = new Map<string, KeyToRead>();
    const add = (db: number, name: string, channel?: string) =>
      found.set(`${db}/${name}`, { db, name, hasChanged: false, ...(channel === undefined ? {} : { channel }) });
    for (const held of [keys.held(), keys.counters]) {
      for (const key of held) {
        if (found.size >= MOST_READ_PER_ROUND) break;
        add(key.db, key.name);
      }
    }
    await this.#readAll([...found.values()]);
    if (found.size === 0) await this.#feed.read(this.#options.ownDb, []); // the mark alone: snapshot taken, nothing held
    found.clear();
    const { ownDb } = this.#options;
    for (const [name, channel] of await this.#finder.waitedFor()) add(ownDb, keys.nameFrom(ownDb, name), channel);
    for (const wait of waits.all()) add(wait.db, wait.lock);
    await this.#readAll([...found.values()]);
    for (const db of await this.#finder.databases(this.#options.ownDb)) {
      await this.#finder.scan(db, budget, {
        isStopped: () => this.#isStopped,
        onFound: (names, type) => {
          const isFree = (name: string) => (keys.find(db, name)?.holders.size ?? 0) === 0;
          const string = type === 'string' ? { string: { isNamed: this.#options.match.length > 0 } } : undefined;
          return this.#readAll(names.filter(isFree).map((name) => ({ db, name, hasChanged: false, ...string })));
        },
      });
    }
    await this.#track();
  }

  /** What only a read can settle: leases past their end, and a deletion that no message explained. */
  #addOverdue(): void {
    if (this.#interpreter.undecided) this.doubt(this.#interpreter.undecided);
    const limit = this.#feed.now() - OVERDUE_MS * 1000;
    for (const key of this.#interpreter.keys.held()) {
      if (key.expiresAt == null || key.expiresAt > limit) continue;
      this.doubt(key);
      if (this.#dirty.size >= MOST_READ_PER_ROUND) return;
    }
  }

  async #readDirty(): Promise<void> {
    await this.#track();
    if (this.#dirty.size === 0) return;
    const keys = [...this.#dirty.values()];
    this.#dirty.clear();
    await this.#readAll(keys);
    for (const key of keys) {
      if (key.hasChanged && !this.#interpreter.keys.find(key.db, key.name)) this.#noteNonLock(key);
    }
  }

  #noteNonLock(key: KeyToRead): void {
    if (this.#nonLocks.size >= 50_000) this.#nonLocks.clear();
    this.#nonLocks.set(`${key.db}/${key.name}`, Date.now() + FORGET_NON_LOCKS_MS);
  }

  async #readAll(keys: readonly KeyToRead[]): Promise<void> {
    // In a cluster a transaction is about one slot.
    const { isCluster } = this.#feed.capabilities;
    const groups = new Map<string, KeyToRead[]>();
    for (const key of keys) {
      const id = isCluster ? `${key.db}/${keySlot(key.name)}` : `${key.db}`;
      const group = groups.get(id);
      if (group) group.push(key);
      else groups.set(id, [key]);
    }
    for (const group of groups.values()) {
      for (const some of inReads(group)) {
        if (this.#isStopped) return;
        await this.#feed.read(
          group[0]?.db ?? 0,
          some.map((key) => this.#withKnown(key)),
        );
      }
    }
  }

  /** The key with where its waiters listen, and with what stands beside it. */
  #withKnown(key: KeyToRead): KeyToRead {
    const known = this.#interpreter.keys.find(key.db, key.name);
    const channel = key.channel ?? known?.channel;
    const place = channel === undefined ? key : { ...key, channel };
    if (!this.#feed.canReadCompanions) return place;
    const companions = key.string && !known ? TOKEN_COMPANIONS : companionsOf(known);
    if (!this.#feed.capabilities.isCluster) return { ...place, companions };
    const slot = keySlot(key.name);
    return { ...place, companions: companions.filter(({ keyOf }) => keySlot(keyOf(key.name)) === slot) };
  }

  async #track(): Promise<void> {
    if (this.#options.keyEvents !== 'tracking' || this.#untracked.size === 0) return;
    const names = [...this.#untracked];
    this.#untracked.clear();
    for (const name of names) this.#tracked.add(name);
    await this.#feed.track(names.map(binaryFromText));
    // What changed before the server began to tell is seen by one more look.
    for (const name of names) this.changed(this.#options.ownDb, name);
  }
}
