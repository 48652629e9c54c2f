import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { clientOf } from '../../names/names.ts';
import { Blocking } from './blocking.ts';
import type { Clients } from './clients.ts';
import { Listeners } from './listeners.ts';
import { Reactions } from './reactions.ts';
import { Subscriptions } from './subscriptions.ts';
import { dueAt, isLone, isSingleAttempt, SILENCE, type Wait } from './wait.ts';

/**
 * After SUBSCRIBE a client repeats its attempt at once. Without a second attempt for this long the client is late, or
 * does not wait.
 */
const ASKS_ONCE_MORE_WITHIN: Millis = 2000;
/**
 * A single attempt that was never repeated is forgotten after this long: it was not a wait. A waiter that is presumed
 * gone is forgotten after this long, too.
 */
const FORGOTTEN: Millis = 300_000;
/** With more waits than this, single attempts are forgotten earlier: the oldest first, many at once. */
const MANY_WAITS = 100_000;
/** With more waiters than this at one lock, or more locks with waiters in one database, waits are not compared. */
const MOST_COMPARED = 200;
/** A sleeper attempts within milliseconds after a message, on a busy machine a little later. */
const WAKES_WITHIN: Millis = 100;

/**
 * Which thread waits for which lock. A waiter of a plain lock leaves no key in Redis: only its refused attempts and
 * its client's subscription show it (`docs/protocol.md` 5.4).
 *
 *   attempt 1 refused · SUBSCRIBE · attempt 2 refused · asleep ……… message or timer · attempt 3 …
 */
export class Waiters {
  readonly #waits = new Set<Wait>();
  /** By holder: its wait with the newest beginning or attempt. */
  readonly #newest = new Map<string, Wait>();
  /** By database, lock and holder. */
  readonly #byDb = new Map<number, Map<string, Map<string, Wait>>>();
  /** Which connections listen on which channels. */
  readonly listeners: Listeners;
  /** Which wait makes a client subscribe or unsubscribe. */
  readonly subscriptions: Subscriptions;
  /** Which clients block a thread while it sleeps. */
  readonly blocking = new Blocking();
  /** Which clients react in time. */
  readonly reactions = new Reactions();
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

  /**
   * The waits of this holder for other locks of a database; an empty list if clients wait for too many locks to
   * compare.
   */
  elsewhere(db: number, lock: string, holder: string): Wait[] {
    const locks = this.#byDb.get(db);
    if (!locks || locks.size > MOST_COMPARED) return [];
    return [...locks].flatMap(([name, waits]) => (name === lock ? [] : (waits.get(holder) ?? [])));
  }

  /** How many threads of each client are asleep, waiting for this lock. */
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
      reportedMs: null,
      isAsleep: false,
      isPresumedGone: false,
      joinedAt: undefined,
    };
    this.#waits.add(wait);
    this.#newest.set(holder, wait);
    const locks = this.#byDb.get(db) ?? new Map<string, Map<string, Wait>>();
    if (locks.size === 0) this.#byDb.set(db, locks);
    const others = locks.get(lock);
    if (others) others.set(holder, wait);
    else locks.set(lock, new Map([[holder, wait]]));
    return wait;
  }

  /** Forgets single attempts. Waiters are never evicted: their number is bounded by the number of waiting threads. */
  #sweep(): void {
    for (const wait of this.#waits) {
      if (isSingleAttempt(wait)) this.#forgetWait(wait);
      if (this.#waits.size < MANY_WAITS / 2) break;
    }
    this.#sweepAt = Math.max(MANY_WAITS, this.#waits.size * 2);
  }

  /**
   * Notes what a thread does: an attempt, or an unlock. Returns the thread's sleep if this shows that the sleep is over
   * (W11). A single attempt before it was not a wait, and is forgotten.
   */
  actsOn(db: number, lock: string, holder: string, at: RedisTime, isAttempt: boolean): Wait | undefined {
    if (isAttempt) this.blocking.attempts(db, lock, holder, at);
    const last = this.#newest.get(holder);
    const current = isAttempt ? this.find(db, lock, holder) : undefined;
    if (current && current !== last) this.#newest.set(holder, current);
    if (!last || (isAttempt && last.lock === lock && last.db === db)) return undefined;
    if (isSingleAttempt(last)) this.#forgetWait(last);
    else if (last.isListener && isLone(last)) last.hasActed = true;
    if (!last.isAsleep || last.isPresumedGone || last.hasOwnChannel) return undefined;
    last.hasActed = true;
    const isAlone = this.#isOnlySleeper(last);
    if (isAlone) return this.#wasCalled(last, at) ? last : undefined;
    if (isAlone === undefined || !this.blocking.isKnown(clientOf(holder))) return undefined;
    this.blocking.leave(last);
    return last;
  }

  /**
   * Whether a message should have woken this sleeper, the only one of its client. If the sleep had not ended in another
   * way, the thread's next command would then have been an attempt.
   */
  #wasCalled({ channel, holder, lastAttemptAt }: Wait, at: RedisTime): boolean {
    return this.listeners.hasMessageOf(channel, clientOf(holder), lastAttemptAt, plusMillis(at, -WAKES_WITHIN));
  }

  /**
   * Whether no other sleeper keeps the client subscribed, so that an UNSUBSCRIBE shows that this one gave up. Undefined
   * if there are too many waiters to compare.
   */
  #isOnlySleeper(wait: Wait): boolean | undefined {
    const others = this.#byDb.get(wait.db)?.get(wait.lock);
    if (!others || others.size > MOST_COMPARED) return undefined;
    const client = clientOf(wait.holder);
    for (const other of others.values())
      if (other !== wait && clientOf(other.holder) === client && other.isAsleep && !other.isPresumedGone) return false;
    return true;
  }

  /** Forgets a wait. If its client unsubscribes next, this wait is the cause. */
  end(wait: Wait): void {
    this.#forgetWait(wait);
    this.listeners.find(wait.channel)?.lastEnded.set(clientOf(wait.holder), wait.holder);
  }

  #forgetWait(wait: Wait): void {
    this.#waits.delete(wait);
    if (this.#newest.get(wait.holder) === wait) this.#newest.delete(wait.holder);
    const locks = this.#byDb.get(wait.db);
    const others = locks?.get(wait.lock);
    others?.delete(wait.holder);
    if (others?.size === 0) locks?.delete(wait.lock);
  }

  /**
   * Forgets the waits whose client has no connection left. Returns those of sleepers, of threads with several attempts,
   * and of threads for which the client subscribed, if they are not presumed gone yet.
   */
  abandoned(): Wait[] {
    const ofGoneClients = [...this.#waits.values()].filter((wait) => this.#clients.isGone(clientOf(wait.holder)));
    const found = ofGoneClients.filter(
      (wait) => !wait.isPresumedGone && (wait.isAsleep || wait.attempts > 1 || wait.joinedAt !== undefined),
    );
    for (const wait of ofGoneClients) this.#forgetWait(wait);
    return found;
  }

  /** Returns, once each, the waits that polled and have stopped by `at`. A single attempt is not a wait. */
  stopped(at: RedisTime): Wait[] {
    const found: Wait[] = [];
    for (const wait of this.#waits) {
      if (wait.asksAgainWithin === undefined || plusMillis(wait.lastAttemptAt, wait.asksAgainWithin) >= at) continue;
      this.#forgetWait(wait);
      if (wait.attempts > 1 || wait.isAsleep) found.push(wait);
    }
    return found;
  }

  /**
   * Returns, once each, the waits that should have tried again by `at`, but did not. `isSeen`: whether the attempts of
   * a wait are seen. If they are and its client listens, such a waiter may just be late, unless the client is on time
   * with other things.
   */
  silent(at: RedisTime, lastMessageAt: (wait: Wait) => RedisTime | undefined, isSeen: (wait: Wait) => boolean): Wait[] {
    const found: Wait[] = [];
    for (const wait of this.#waits.values()) {
      if (wait.isListener && isLone(wait) && this.#hasGoneOn(wait, at)) {
        this.#forgetWait(wait);
        found.push(wait);
        continue;
      }
      if (wait.isPresumedGone || !(wait.isAsleep || wait.isPolling)) {
        if (plusMillis(wait.lastAttemptAt, FORGOTTEN) >= at) continue;
        this.#forgetWait(wait);
        if (!wait.isListener || wait.isPresumedGone) continue;
        wait.isUnseen = true;
        found.push(wait);
        continue;
      }
      const due = dueAt(wait, lastMessageAt(wait), (hasTimer) => this.#mustHear(wait, hasTimer));
      if (due === undefined || due > at) continue;
      if (isSeen(wait) && this.#mayBeLate(wait, due)) continue;
      wait.isPresumedGone = true;
      found.push(wait);
    }
    return found;
  }

  /**
   * Whether the thread for which a client subscribed no longer waits: the client reacts in time, or its thread does
   * something else.
   */
  #hasGoneOn({ joinedAt, holder, hasActed }: Wait, at: RedisTime): boolean {
    if (joinedAt === undefined || plusMillis(joinedAt, ASKS_ONCE_MORE_WITHIN) >= at) return false;
    const client = clientOf(holder);
    return this.reactions.isOnTime(client, joinedAt) || (hasActed === true && this.blocking.isKnown(client));
  }

  /** Whether a silent sleeper may still be there: its client listens, and nothing shows that the client is on time. */
  #mayBeLate(wait: Wait, due: RedisTime): boolean {
    return (
      this.#listensOn(wait) && !this.reactions.isOnTime(clientOf(wait.holder), plusMillis(due, -SILENCE - WAKES_WITHIN))
    );
  }

  /**
   * Whether a message must wake this waiter. If its client has several waiters, the message may have woken another one.
   * If this is the only one, the client unsubscribes when the wait ends. So if the client is still subscribed, the
   * waiter missed the message and sleeps until its timer.
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
