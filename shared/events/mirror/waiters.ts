import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import { clientOf } from '../names/names.ts';
import type { Clients } from './clients.ts';
import { Listeners } from './listeners.ts';
import { Subscriptions } from './subscriptions.ts';
import { dueAt, isLone, isMereTry, type Wait } from './wait.ts';

/** Who began to listen asks once more as soon as it does; who has not after so long only tried once. */
const ASKS_ONCE_MORE_WITHIN: Millis = 2000;
/** A lone attempt that was never repeated was no wait; after this long nobody needs to know of it. */
const FORGOTTEN: Millis = 300_000;
/** With more waits than this, those who only tried are forgotten earlier: the first of them, many at once. */
const MANY_WAITS = 100_000;
/** With more waiters than this nobody counts whose they are. */
const MOST_COMPARED = 200;
/**
 * Who waits for which lock. A waiter of a plain lock leaves no key in Redis: only its refused attempts and its
 * client's subscription show it (`docs/protocol.md` 5.4).
 *
 *   attempt 1 refused · SUBSCRIBE · attempt 2 refused · asleep ……… message or timer · attempt 3 …
 */
export class Waiters {
  readonly #waits = new Set<Wait>();
  /** Of each holder, what it was refused last and has not asked for again. */
  readonly #lone = new Map<string, Wait>();
  /** By database, lock and holder. */
  readonly #byDb = new Map<number, Map<string, Map<string, Wait>>>();
  /** Who listens where. */
  readonly listeners: Listeners;
  /** Whose wait makes a client listen, or stop. */
  readonly subscriptions: Subscriptions;
  readonly #clients: Clients;
  #sweepAt = MANY_WAITS;

  constructor(clients: Clients) {
    this.#clients = clients;
    this.listeners = new Listeners(clients);
    this.subscriptions = new Subscriptions(this, clients);
  }

  find(db: number, lock: string, holder: string): Wait | undefined {
    return this.#byDb.get(db)?.get(lock)?.get(holder);
  }

  of(db: number, lock: string): Wait[] {
    return [...(this.#byDb.get(db)?.get(lock)?.values() ?? [])];
  }

  /** How many of each client sleep before a lock. */
  sleepersByClient(db: number, lock: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { holder, isAsleep } of this.of(db, lock)) {
      if (isAsleep) counts.set(clientOf(holder), (counts.get(clientOf(holder)) ?? 0) + 1);
    }
    return counts;
  }

  all(): IterableIterator<Wait> {
    return this.#waits.values();
  }

  begin(db: number, lock: string, holder: string, at: RedisTime, channel: string, hasOwnChannel = false): Wait {
    if (this.#waits.size >= this.#sweepAt) this.#sweep();
    const wait: Wait = {
      db,
      lock,
      holder,
      channel,
      hasOwnChannel,
      since: at,
      attempts: 0,
      firstSeq: -1,
      ownMessage: undefined,
      lastAttemptAt: at,
      lastAttemptSeq: -1,
      toldMs: null,
      isAsleep: false,
      isPresumedGone: false,
      joinedAt: undefined,
    };
    this.#waits.add(wait);
    this.#lone.set(holder, wait);
    const locks = this.#byDb.get(db) ?? new Map<string, Map<string, Wait>>();
    if (locks.size === 0) this.#byDb.set(db, locks);
    const others = locks.get(lock);
    if (others) others.set(holder, wait);
    else locks.set(lock, new Map([[holder, wait]]));
    return wait;
  }

  /** Of those who wait nobody is forgotten: they are as many as there are threads that do. */
  #sweep(): void {
    for (const wait of this.#waits) {
      if (isMereTry(wait)) this.#forgetWait(wait);
      if (this.#waits.size < MANY_WAITS / 2) break;
    }
    this.#sweepAt = Math.max(MANY_WAITS, this.#waits.size * 2);
  }

  /** A thread does one thing after the other: who was refused once and now does something else does not wait. */
  actsOn(db: number, lock: string, holder: string): void {
    const lone = this.#lone.get(holder);
    if (!lone || (lone.lock === lock && lone.db === db)) return;
    this.#lone.delete(holder);
    if (isMereTry(lone)) this.#forgetWait(lone);
  }

  /** Forgets a wait. Its client may stop listening now, and that is then known as this wait's end. */
  end(wait: Wait): void {
    this.#forgetWait(wait);
    this.listeners.find(wait.channel)?.lastEnded.set(clientOf(wait.holder), wait.holder);
  }

  #forgetWait(wait: Wait): void {
    this.#waits.delete(wait);
    if (this.#lone.get(wait.holder) === wait) this.#lone.delete(wait.holder);
    const locks = this.#byDb.get(wait.db);
    const others = locks?.get(wait.lock);
    others?.delete(wait.holder);
    if (others?.size === 0) locks?.delete(wait.lock);
  }

  /** Those whose client has no connection left; each is given once. A single try that nobody waited behind is not. */
  abandoned(): Wait[] {
    const left = [...this.#waits.values()].filter((wait) => this.#clients.isGone(clientOf(wait.holder)));
    const found = left.filter((wait) => !wait.isPresumedGone && (wait.isAsleep || wait.joinedAt !== undefined));
    for (const wait of left) this.#forgetWait(wait);
    return found;
  }

  /** Those who polled and stopped by `at`; each is given once. A single attempt is nobody waiting. */
  stopped(at: RedisTime): Wait[] {
    const found: Wait[] = [];
    for (const wait of this.#waits) {
      if (wait.asksAgainWithin === undefined || plusMillis(wait.lastAttemptAt, wait.asksAgainWithin) >= at) continue;
      this.#forgetWait(wait);
      if (wait.attempts > 1) found.push(wait);
    }
    return found;
  }

  /** Sleepers that should have asked again by `at` and did not; each is given once. */
  silent(at: RedisTime, lastMessageAt: (wait: Wait) => RedisTime | undefined): Wait[] {
    const found: Wait[] = [];
    for (const wait of this.#waits.values()) {
      if (wait.isListener && isLone(wait) && plusMillis(wait.joinedAt ?? at, ASKS_ONCE_MORE_WITHIN) < at) {
        this.#forgetWait(wait);
        found.push(wait);
        continue;
      }
      if (wait.isPresumedGone || !(wait.isAsleep || wait.isPolling)) {
        if (plusMillis(wait.lastAttemptAt, FORGOTTEN) < at) this.#forgetWait(wait);
        continue;
      }
      const due = dueAt(wait, lastMessageAt(wait), (hasTimer) => this.#mustHear(wait, hasTimer));
      if (due === undefined || due > at) continue;
      wait.isPresumedGone = true;
      found.push(wait);
    }
    return found;
  }

  /**
   * Whether a message must move this one. With several of its client, nobody can say which one should have moved. The
   * only one stops listening when it leaves: while it listens on, it has missed the message, and sleeps until its timer.
   */
  #mustHear(wait: Wait, hasTimer: boolean): boolean {
    return this.#isAlone(wait) && !(hasTimer && this.#listensOn(wait));
  }

  #listensOn({ hasOwnChannel, channel, holder }: Wait): boolean {
    return !hasOwnChannel && this.listeners.isListening(channel, clientOf(holder));
  }

  #isAlone(wait: Wait): boolean {
    if (wait.hasOwnChannel) return true;
    const others = this.#byDb.get(wait.db)?.get(wait.lock);
    if (!others || others.size > MOST_COMPARED) return false;
    const client = clientOf(wait.holder);
    for (const other of others.values()) if (other !== wait && clientOf(other.holder) === client) return false;
    return true;
  }
}
