import { plusMillis } from '../../../shared/base/time.ts';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import { companionFrom } from '../../../shared/events/kinds/kinds.ts';
import { ChangedKeys } from '../../../shared/events/mirror/changed-keys.ts';
import type { LockKey } from '../../../shared/events/mirror/lock-key.ts';
import { fieldEventFromPush } from '../../../shared/signals/field-message.ts';
import { keyEventFromPush } from '../../../shared/signals/keyspace-message.ts';
import type { BookmarkSignal, PushSignal } from '../../../shared/signals/signal.ts';
import { steadyMs, wallMs } from '../../redis/connection/surroundings.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { CarefulReads } from './careful-reads.ts';
import { Flushes } from './flushes.ts';
import { patternFromGlob } from './glob.ts';
import { KeyRounds } from './key-rounds.ts';
import { LoopPause } from './loop-pause.ts';
import { NewKeys } from './new-keys.ts';
import { NewStrings } from './new-strings.ts';
import { ReadQueue } from './read-queue.ts';
import { budgetsFor, isHeard, type Reading, type ReadingOptions } from './reading.ts';
import { UnseenKeys } from './unseen-keys.ts';
import { WaitingSince } from './waiting-since.ts';

const LOOK_MS = 100;
/** Changes that come this close together are read together. */
const GATHER_MS = 2;
const MOST_AT_ONCE = 200;
/**
 * Where field notifications show the holders, a read is needed only for counts, leases and listeners. It may come this
 * much later.
 */
const LATER_MS = 50;
/** While nothing arrives and no lease is about to end, the leases are looked at this often. */
const IDLE_LOOK_MS = 1000;
/** The key of a lease this far past its end is read, which makes Redis report `expired` at once. */
const OVERDUE_MS = 150;
const MOST_OVERDUE = 2000;
/** After a flush, a lock whose lease ends this soon is read at once. */
const SOON_MS = 3000;
/** A lock that is known only by a companion key is read if fewer locks than this wait to be read. */
const MOST_UNSEEN = 10_000;

/**
 * Events of a hash that need no immediate read where field notifications arrive: a notification, or the key event
 * itself, shows whether the holders changed.
 */
const WITH_FIELDS = new Set(['hset', 'hincrby', 'hdel', 'expire', 'persist']);
/** Events after which the key no longer exists, and so is no longer too large. */
const GONE = new Set(['del', 'expired', 'evicted', 'rename_from', 'move_from']);

/**
 * Decides which keys are read when. Each loop has its own budget, so that no loop starves another.
 *
 *   changes   known locks that changed or are overdue, and new keys whose shape of name had locks before
 *   samples   a few of all other keys that may have become locks   (`new-keys.ts`, `new-strings.ts`)
 *   rounds    every lock in use, every 10 s (2 s at level `snapshot`)   (`key-rounds.ts`)
 *   scans     every key, for locks that no event announced
 */
export class KeyReader {
  /** What the reads leave out. */
  readonly unseen: UnseenKeys;
  readonly #reading: Reading;
  readonly #newKeys: NewKeys;
  readonly #newStrings: NewStrings;
  readonly #rounds: KeyRounds;
  readonly #queue = new ReadQueue();
  readonly #changedKeys: ChangedKeys;
  readonly #flushes = new Flushes();
  readonly #pause = new LoopPause();
  /** New keys whose shape of name had locks before. */
  readonly #new = new WaitingSince();
  /** Whether the server sends field notifications. */
  #hearsFields = false;
  /** Whether a signal has arrived since the leases were looked at. */
  #hasChanged = false;
  #isAsleep = false;
  /** What `readAt` returned last. */
  #readAt: number | undefined;
  #isStopped = false;

  constructor(feed: OrderedFeed, interpreter: Interpreter, options: ReadingOptions) {
    const globs = options.match.map(patternFromGlob);
    this.#reading = {
      feed,
      interpreter,
      options,
      reads: new CarefulReads(feed, interpreter, options.memory.quarantine),
      budgets: budgetsFor(options.level, wallMs()),
      isWanted: (name) => globs.length === 0 || globs.some((glob) => glob.test(name)),
    };
    this.#changedKeys = new ChangedKeys(interpreter.keys);
    this.#newKeys = new NewKeys(this.#reading);
    this.#newStrings = new NewStrings(this.#reading);
    this.#rounds = new KeyRounds(this.#reading, this.#newKeys);
    this.unseen = new UnseenKeys(this.#reading, this.#rounds, this.#newStrings);
  }

  /** Runs until `stop`; rejects when the connection is lost. */
  async run(): Promise<void> {
    const { options, feed } = this.#reading;
    if (options.keyEvents === 'tracking') await feed.track();
    else if (options.level === 'events') await feed.hearFlushes();
    await Promise.all([this.#readChanges(), this.#newKeys.sample(), this.#newStrings.run(), this.#rounds.run()]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#reading.reads.isStopped = true;
    this.#newKeys.stop();
    this.#newStrings.stop();
    this.#rounds.stop();
    this.#pause.end();
  }

  /** Takes the text of INFO commandstats and stats, which show what our scans cost, and whether the server is busy. */
  heardStats(text: string): void {
    this.#reading.reads.scanCost.hear(text);
    this.#rounds.heardStats(text);
  }

  /** Begins the next round of reads and the next scan now. */
  lookAround(): void {
    this.#rounds.lookAround();
  }

  /**
   * Every change before this instant (`steadyMs`) has been read. Undefined until all locks that were held before
   * this connection have been read.
   */
  get readAt(): number | undefined {
    if (!this.#rounds.hasReadHeld) return undefined;
    if (this.#reading.interpreter.undecided) return this.#readAt; // a read must show what happened to this key
    const waiting = [this.#queue.oldest(), this.#new.oldest].filter((since) => since !== undefined);
    this.#readAt = Math.min(this.#reading.feed.heardAt, ...waiting);
    return this.#readAt;
  }

  /** Whether a key would have been found if it had existed when this connection began. */
  hasLookedFor(db: number, name: string): boolean {
    const { options, isWanted } = this.#reading;
    if (this.unseen.missing !== undefined || !this.#rounds.hasSeenAll) return false;
    return isWanted(name) && !options.memory.quarantine.holds({ db, name }, wallMs());
  }

  /** A lock's name or kind became known: with client tracking, reading it makes the server report its changes. */
  known(key: LockKey): void {
    if (this.#reading.options.keyEvents === 'tracking') this.doubt(key);
  }

  /**
   * Takes a key event. At level `events`, the interpreter understands the end of a key, such as `del` or `expired`; any
   * other event requires a read. At level `replication`, only key events of keys whose content is not known arrive
   * here.
   */
  heard(push: PushSignal): void {
    const { level, memory } = this.#reading.options;
    if (!isHeard(level) && memory.quarantine.isEmpty) return;
    const event = keyEventFromPush(push);
    if (event && GONE.has(event.event)) memory.quarantine.clear({ db: event.db, name: event.key }, 'hash');
    if (!isHeard(level)) return;
    if (!event) return this.#heardFields(push);
    const { db, key: name } = event;
    this.#flushes.heard({ db, name });
    const verdict = this.#changedKeys.hear(event, this.#rounds.hasSeenAll);
    const afterMs = this.#hearsFields && WITH_FIELDS.has(event.event) ? LATER_MS : 0;
    if (verdict === 'changed') this.changed(db, name, afterMs);
    else if (verdict === 'doubtful') this.doubt({ db, name });
    else if (verdict === 'leased' && level === 'events' && this.#reading.isWanted(name))
      this.#newStrings.add({ db, name });
  }

  #heardFields(push: PushSignal): void {
    const { keys } = this.#reading.interpreter;
    const event = fieldEventFromPush(push, (db, name) => keys.find(db, name) !== undefined);
    if (event === 'malformed') this.unseen.malformedFields++;
    else if (event) this.#hearsFields = true;
  }

  /** Something about a lock arrived: a lease may end sooner than the leases that are known. */
  noteChange(): void {
    this.#hasChanged = true;
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#pause.endWithin(LOOK_MS);
  }

  /** A bookmark of the stream, with what key events reported about its keys before it. */
  withChanges(bookmark: BookmarkSignal): BookmarkSignal {
    return this.#flushes.marked(this.#changedKeys.taken(bookmark));
  }

  /** Client tracking reported that a key of this name changed, in any database; null: every key changed. */
  invalidated(name: string | null): void {
    if (name === null) return this.#noticeFlush();
    const { interpreter, options } = this.#reading;
    const beside = companionFrom(name);
    const lock = beside && interpreter.keys.nameFrom(options.ownDb, beside.lock);
    for (const { db } of interpreter.keys.named(name)) this.changed(db, name);
    if (lock === undefined) return;
    for (const { db } of interpreter.keys.named(lock)) this.changed(db, name);
  }

  /**
   * Something reported that this key changed: the lock itself, or a key beside it. A lock's own key may be read
   * `afterMs` later.
   */
  changed(db: number, key: string, afterMs = 0): void {
    const { keys } = this.#reading.interpreter;
    const beside = companionFrom(key);
    const lock = beside && keys.nameFrom(db, beside.lock);
    const isBeside = lock !== undefined && (!beside?.isCommonName || keys.find(db, lock) !== undefined);
    const name = isBeside ? lock : key;
    if (!this.#reading.isWanted(name)) return;
    const isSure = keys.find(db, name) !== undefined || (isBeside && this.#queue.size < MOST_UNSEEN);
    const isLater = afterMs > 0 && isSure && !isBeside;
    if (isSure) this.#queue.add({ db, name }, this.#reading.feed.heardAt, isLater ? steadyMs() + afterMs : 0);
    if (isLater) return this.#pause.endWithin(afterMs);
    const isNew = !isSure && this.#newKeys.add({ db, name });
    if (isNew) this.#new.add(this.#reading.feed.heardAt);
    if (isSure || isNew) this.#pause.end();
  }

  /** What we believe about this key may be wrong: it is read soon. */
  doubt({ db, name }: Pick<LockKey, 'db' | 'name'>): void {
    if (!this.#reading.isWanted(name)) return;
    this.#queue.add({ db, name }, this.#reading.feed.heardAt);
    this.#pause.end();
  }

  /** Every lock that existed is read again. First those whose lease ends soon, or they would seem to have expired. */
  #noticeFlush(): void {
    const { feed, interpreter } = this.#reading;
    const to = feed.now();
    const from = plusMillis(to, feed.heardAt - steadyMs());
    const keys = [...interpreter.keys.held(), ...interpreter.keys.counters];
    this.#flushes.noticed(keys, { from, to }, (key) => this.#queue.has(key));
    for (const key of keys) if (key.expiresAt != null && key.expiresAt < plusMillis(to, SOON_MS)) this.doubt(key);
    this.lookAround();
  }

  async #readChanges(): Promise<void> {
    const { interpreter, reads, budgets } = this.#reading;
    let nextLookAt = 0;
    while (!this.#isStopped) {
      let pauseMs = LOOK_MS;
      if (wallMs() >= nextLookAt) {
        nextLookAt = wallMs() + LOOK_MS;
        this.#hasChanged = false;
        pauseMs = this.#addOverdue();
      }
      if (interpreter.undecided) this.doubt(interpreter.undecided);
      await reads.read(this.#queue.take(MOST_AT_ONCE, steadyMs()), budgets.changes);
      this.#queue.done();
      this.#new.begin();
      const isMore = await this.#newKeys.readLikely();
      this.#new.end(isMore);
      if (this.#hasChanged || interpreter.undecided) pauseMs = LOOK_MS;
      this.#isAsleep = pauseMs > LOOK_MS;
      const dueInMs = isMore ? 0 : (this.#queue.dueInMs(steadyMs()) ?? pauseMs);
      await this.#pause.wait(Math.max(GATHER_MS, Math.min(pauseMs, dueInMs)), GATHER_MS);
      this.#isAsleep = false;
    }
  }

  /** Queues the keys of leases that are past their end. Returns in how many ms the leases must be looked at again. */
  #addOverdue(): number {
    const { feed, interpreter } = this.#reading;
    const limit = feed.now() - OVERDUE_MS * 1000;
    let left = MOST_OVERDUE;
    let next = limit + IDLE_LOOK_MS * 1000;
    for (const key of interpreter.keys.held()) {
      if (key.expiresAt == null) continue;
      if (key.expiresAt > limit) {
        if (key.expiresAt < next) next = key.expiresAt;
        continue;
      }
      this.doubt(key);
      if (--left === 0) return LOOK_MS;
    }
    return Math.max(LOOK_MS, (next - limit) / 1000);
  }
}
