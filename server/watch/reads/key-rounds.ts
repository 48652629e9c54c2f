import { isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import { lockOfChannel } from '../../../shared/events/names/names.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { startTimer, stopTimer, wallMs } from '../../redis/connection/surroundings.ts';
import { LockFinder } from '../../redis/reads/find-locks.ts';
import type { KeyToRead } from '../../redis/reads/key-reads.ts';
import type { Ask } from '../../redis/reads/key-sizes.ts';
import { mayHideLocks } from '../../redis/rights/rights-report.ts';
import { LoopPause } from './loop-pause.ts';
import type { NewKeys } from './new-keys.ts';
import type { ReadBudget } from './read-budget.ts';
import type { Reading } from './reading.ts';

const ROUND_MS: Record<ObserveLevel, number> = {
  monitor: 10_000,
  replication: 10_000,
  events: 10_000,
  snapshot: 2000,
};
/** A new string may be a lock. At level `events`, only a scan finds it if it has no lease, or if key events are off. */
const SCAN_MS: Record<ObserveLevel, number> = { ...ROUND_MS, events: 5000 };
/** A first scan that has gone on for this long shows that the server lets us read. */
const LONG_SCAN_MS = 10_000;
/** A server with fewer commands a second has time to spare, so the first scan may be quicker. */
const QUIET_OPS = 10_000;

/** Whether a channel shows that its lock is a hash of a special kind, such as a read-write lock, not a plain lock. */
function hasKindOfHash(channel: string): boolean {
  const kind = lockOfChannel(channel)?.kind ?? 'lock';
  return kind !== 'lock' && !isCounterKind(kind);
}

/** Reads every lock that is known to be in use, and scans every key, in rounds that do not depend on events. */
export class KeyRounds {
  readonly #reading: Reading;
  readonly #newKeys: NewKeys;
  readonly #finder: LockFinder;
  #nextRound = 0;
  #nextScan = 0;
  readonly #roundPause = new LoopPause();
  readonly #scanPause = new LoopPause();
  /** Calls of SWAPDB so far, as INFO counts them; undefined until it was read. */
  #swaps: number | undefined;
  /** SWAPDB was called after the last scan began. */
  #hasSwapped = false;
  /** The parts of the first round that are still to be done. */
  readonly #missing = new Set(['round', 'scan']);
  #isStopped = false;
  /** Whether every lock that was held before this connection has been read. */
  hasReadHeld = false;
  /** Whether every key has been looked at since this connection began. */
  #hasScanned = false;
  /** The last scan would have found every lock: no right was missing. */
  hasSeenAll = false;

  constructor(reading: Reading, newKeys: NewKeys) {
    this.#reading = reading;
    this.#newKeys = newKeys;
    const { reads, options, feed } = reading;
    const ask: Ask = (...commands) => reads.askWithin(this.#scanBudget)(...commands);
    this.#finder = new LockFinder(ask, options.match, feed.capabilities.isSharded);
  }

  /** Whether waiters of unknown locks cannot be found, because the server has too many channels. */
  get hasTooManyChannels(): boolean {
    return this.#finder.hasTooManyChannels;
  }

  get #scanBudget(): ReadBudget {
    const { scans, firstScan } = this.#reading.budgets;
    return !this.#hasScanned && this.#finder.opsPerSecond < QUIET_OPS ? firstScan : scans;
  }

  /** How much of the first scan is done, from 0 to 1; undefined once it is complete. */
  get firstScan(): number | undefined {
    return this.#hasScanned ? undefined : this.#finder.share;
  }

  /** Runs until `stop`. The first round has the budget of changes: after a cut, all that was known may be wrong. */
  async run(): Promise<void> {
    await this.#round(this.#reading.budgets.changes);
    await Promise.all([this.#roundAfterRound(), this.#scanAfterScan()]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#endPauses();
  }

  /**
   * Takes the text of INFO stats and commandstats. A first scan becomes quicker once the server has time to spare. If
   * this text shows a call of SWAPDB, a scan begins at once.
   */
  heardStats(text: string): void {
    this.#finder.hear(text);
    const swaps = Number(/^cmdstat_swapdb:calls=(\d+)/m.exec(text)?.[1] ?? 0);
    const before = this.#swaps ?? swaps;
    this.#swaps = swaps;
    // a lower number was counted since CONFIG RESETSTAT
    if (swaps === before || swaps === 0 || this.#reading.options.level !== 'events') return;
    this.#hasSwapped = true;
    this.#nextScan = 0;
    this.#scanPause.end();
  }

  /** Begins the next round of reads and the next scan now. */
  lookAround(): void {
    this.#nextRound = 0;
    this.#nextScan = 0;
    this.#endPauses();
  }

  /**
   * Begins a round after a scan that followed SWAPDB. The scan has found the locks in their new database, so the round
   * does not report them as released.
   */
  #roundNow(): void {
    this.#nextRound = 0;
    this.#roundPause.end();
  }

  #endPauses(): void {
    this.#roundPause.end();
    this.#scanPause.end();
  }

  async #roundAfterRound(): Promise<void> {
    for (;;) {
      this.#nextRound = wallMs() + ROUND_MS[this.#reading.options.level];
      while (!this.#isStopped && wallMs() < this.#nextRound) await this.#roundPause.wait(this.#nextRound - wallMs(), 0);
      if (this.#isStopped) return;
      await this.#round(this.#reading.budgets.rounds);
    }
  }

  /** Reads every lock that is held or waited for, semaphores and latches. Looks again at keys that were too large. */
  async #round(budget: ReadBudget): Promise<void> {
    const { interpreter, options, reads, isWanted } = this.#reading;
    const { keys, waits } = interpreter;
    const { ownDb } = options;
    const found = new Map<string, KeyToRead>();
    const add = (db: number, name: string, channel?: string, isNowhere = false) => {
      const key: KeyToRead = { db, name, ...(channel === undefined ? {} : { channel }) };
      if (isWanted(name)) found.set(`${db}/${name}`, isNowhere ? { ...key, isNowhere } : key);
    };
    // A free fair lock may have a queue, which changes without a key event of the lock.
    for (const list of [keys.held(), keys.counters, keys.queued]) for (const key of list) add(key.db, key.name);
    if (found.size === 0) await reads.mark(ownDb, budget); // the mark alone: snapshot taken, nothing held
    await reads.read([...found.values()], budget);
    this.hasReadHeld ||= !this.#isStopped;
    found.clear();
    // a channel has no database, and only a key shows that its lock is in this one
    const waitedFor = await this.#finder.waitedFor();
    const mayBeElsewhere = (channel: string) => !this.#hasScanned && hasKindOfHash(channel);
    for (const [name, channel] of waitedFor)
      if (mayBeElsewhere(channel) && !keys.about(ownDb, name)) add(ownDb, keys.nameFrom(ownDb, name));
    if (found.size > 0) await reads.read([...found.values()], budget);
    found.clear();
    for (const [name, channel] of waitedFor) {
      const known = keys.about(ownDb, name);
      if (known) add(known.db, known.name, channel);
      else if (!mayBeElsewhere(channel)) add(ownDb, keys.nameFrom(ownDb, name), channel, this.hasSeenAll);
    }
    for (const wait of waits.all()) add(wait.db, wait.lock);
    await reads.read([...found.values()], budget);
    await this.#lookAtLarge(budget);
    this.#finished('round');
  }

  async #lookAtLarge(budget: ReadBudget): Promise<void> {
    const { interpreter, options, reads } = this.#reading;
    for (const { db, name } of options.memory.quarantine.due(wallMs())) {
      if (this.#isStopped) return;
      const key = { db, name };
      if (interpreter.keys.find(db, name)) await reads.read([key], budget);
      else await this.#newKeys.judge(db, [key]);
    }
  }

  async #scanAfterScan(): Promise<void> {
    const late = startTimer(() => this.#finished('scan'), LONG_SCAN_MS);
    const { options, feed } = this.#reading;
    try {
      while (!this.#isStopped) {
        this.#nextScan = wallMs() + SCAN_MS[options.level];
        const isAfterSwap = this.#hasSwapped;
        this.#hasSwapped = false;
        let isWhole = true;
        const wasLacking = mayHideLocks(feed.rights);
        for (const db of await this.#finder.databases(options.ownDb)) isWhole = (await this.#look(db)) && isWhole;
        stopTimer(late);
        this.#hasScanned ||= isWhole && !this.#isStopped;
        this.hasSeenAll = isWhole && !wasLacking && !mayHideLocks(feed.rights);
        this.#finished('scan');
        if (isAfterSwap) this.#roundNow();
        while (!this.#isStopped && wallMs() < this.#nextScan) await this.#scanPause.wait(this.#nextScan - wallMs(), 0);
      }
    } finally {
      stopTimer(late);
    }
  }

  /** Returns whether every key of this database that this user may see was looked at. */
  async #look(db: number): Promise<boolean> {
    return (await this.#scan(db)) || this.#reading.feed.rights.databases.includes(String(db));
  }

  async #scan(db: number): Promise<boolean> {
    const { feed, interpreter, options, reads, budgets, isWanted } = this.#reading;
    const { quarantine } = options.memory;
    const isFree = (name: string) => (interpreter.keys.find(db, name)?.holders.size ?? 0) === 0;
    return this.#finder.scan(db, {
      isWanted,
      isStopped: () => this.#isStopped,
      onFound: async (names, type) => {
        const string = type === 'string' ? { string: { isNamed: options.match.length > 0 } } : undefined;
        const { keys } = interpreter;
        const isKept = (name: string) => !keys.isFull || keys.find(db, name) !== undefined;
        const free = names.filter((name) => isFree(name) && isKept(name));
        await reads.read(
          free.map((name) => ({ db, name, ...string })),
          budgets.found,
        );
      },
      onTooLarge: (name, why) => {
        const now = wallMs();
        const isLock = interpreter.keys.find(db, name) !== undefined;
        if ((isLock || why.reason === 'bytes') && !quarantine.holds({ db, name }, now))
          quarantine.put({ db, name }, why, feed.now(), now, isLock);
      },
    });
  }

  #finished(part: 'round' | 'scan'): void {
    if (this.#isStopped || !this.#missing.delete(part)) return;
    if (this.#missing.size === 0) this.#reading.options.onFirstRound();
  }
}
