import { type Millis, plusMillis, type RedisTime } from '../base/time.ts';
import type { Clients } from './clients.ts';
import { clientOf } from './names.ts';

/** One holder-to-be, from its first refusal to its acquisition or until it stops asking. */
export type Wait = {
  readonly db: number;
  readonly lock: string;
  readonly holder: string;
  readonly since: RedisTime;
  attempts: number;
  lastAttemptAt: RedisTime;
  lastAttemptSeq: number;
  /** The TTL it was told at its last attempt; null: not known. */
  toldMs: Millis | null;
  /** It asked twice and its client listens: now it sleeps until a message or its own timer. */
  isAsleep: boolean;
  isPresumedGone: boolean;
  /** When its client began to listen for it; undefined: it listened before, or does not. */
  joinedAt: RedisTime | undefined;
};

type Channel = {
  /** Listening connections by address; the client's uuid where it is known. */
  readonly listeners: Map<string, string | undefined>;
  /** Listeners a snapshot counted that were there before anybody watched. */
  unseen: number;
  /** Per client, the holder whose wait there ended last: the cause of an UNSUBSCRIBE that follows. */
  readonly lastEnded: Map<string, string>;
  /**
   * Per client, messages that no sleeper has used up. A client keeps a message that comes while nobody of it
   * sleeps, so a waiter may fall asleep and be awake again at once.
   */
  readonly unused: Map<string, number>;
};

/** A sleeper that stays silent this long after its own timer is presumed gone. */
const SILENCE: Millis = 2000;
/** The same after a message: longer, since a message can be missed and the sleeper still be there. */
const SILENCE_AFTER_MESSAGE: Millis = 5000;
/** A lone attempt that was never repeated was no wait; after this long nobody needs to know of it. */
const FORGOTTEN: Millis = 300_000;
/** A timer may fire this much before the TTL we computed, since Redis counts whole milliseconds. */
const EARLY: Millis = 5;

/**
 * Who waits for which lock. A waiter of a plain lock leaves no key in Redis: only its refused attempts and its
 * client's subscription show it (`protocol.md` 5.4).
 *
 *   attempt 1 refused · SUBSCRIBE · attempt 2 refused · asleep ……… message or timer · attempt 3 …
 */
export class WaitingRoom {
  readonly #waits = new Map<string, Wait>();
  readonly #waitsOfLock = new Map<string, Set<Wait>>();
  readonly #channels = new Map<string, Channel>();
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  find(db: number, lock: string, holder: string): Wait | undefined {
    return this.#waits.get(waitId(db, lock, holder));
  }

  of(db: number, lock: string): Wait[] {
    return [...(this.#waitsOfLock.get(`${db}/${lock}`) ?? [])];
  }

  all(): IterableIterator<Wait> {
    return this.#waits.values();
  }

  begin(db: number, lock: string, holder: string, at: RedisTime): Wait {
    const wait: Wait = {
      db,
      lock,
      holder,
      since: at,
      attempts: 0,
      lastAttemptAt: at,
      lastAttemptSeq: -1,
      toldMs: null,
      isAsleep: false,
      isPresumedGone: false,
      joinedAt: undefined,
    };
    this.#waits.set(waitId(db, lock, holder), wait);
    const lockId = `${db}/${lock}`;
    const others = this.#waitsOfLock.get(lockId);
    if (others) others.add(wait);
    else this.#waitsOfLock.set(lockId, new Set([wait]));
    return wait;
  }

  end(wait: Wait, channel: string): void {
    const lockId = `${wait.db}/${wait.lock}`;
    this.#waits.delete(waitId(wait.db, wait.lock, wait.holder));
    const others = this.#waitsOfLock.get(lockId);
    others?.delete(wait);
    if (others?.size === 0) this.#waitsOfLock.delete(lockId);
    const known = this.#channels.get(channel);
    known?.lastEnded.set(clientOf(wait.holder), wait.holder);
  }

  /** Whether this client listens on the channel, as far as we can know: a listener nobody could place may be it. */
  isListening(channel: string, client: string): boolean {
    const known = this.#channels.get(channel);
    if (!known) return false;
    if (known.unseen > 0) return true;
    for (const [address, uuid] of known.listeners) {
      if (uuid === client || (uuid === undefined && this.#clients.couldBe(address, client))) return true;
    }
    return false;
  }

  /** Whether a snapshot counted listeners there that were never seen to subscribe. */
  hasUnseen(channel: string): boolean {
    return (this.#channels.get(channel)?.unseen ?? 0) > 0;
  }

  /**
   * Notes a SUBSCRIBE and gives back whose wait caused it, when only one client can have sent it.
   *
   * Candidates are clients with a refused attempt on this lock that do not listen yet. Where several fit, the one
   * refused first is named, but nothing is learnt from the guess.
   */
  subscribe(
    db: number,
    lock: string,
    channel: string,
    address: string,
    at: RedisTime,
  ): { client?: string; wait?: Wait } {
    const known = this.#channel(channel);
    const uuid = this.#clients.uuidAt(address);
    if (uuid !== undefined) {
      known.listeners.set(address, uuid);
      return { client: uuid, ...this.#join(db, lock, uuid, at) };
    }
    const candidates = new Set<string>();
    for (const wait of this.of(db, lock)) {
      const client = clientOf(wait.holder);
      const isListening = [...known.listeners.values()].includes(client);
      if (!isListening && this.#clients.couldBe(address, client)) candidates.add(client);
    }
    const [only] = candidates;
    if (candidates.size === 1 && only !== undefined) {
      known.listeners.set(address, only);
      this.#clients.learn(address, only, at);
      return { client: only, ...this.#join(db, lock, only, at) };
    }
    known.listeners.set(address, undefined);
    return {};
  }

  /** Notes an UNSUBSCRIBE and gives back whose wait ended it and which waits cannot go on without it. */
  unsubscribe(
    db: number,
    lock: string,
    channel: string,
    address: string,
  ): { client?: string; ended?: string; left: Wait[] } {
    const known = this.#channels.get(channel);
    if (!known) return { left: [] };
    const client =
      known.listeners.get(address) ?? this.#clients.uuidAt(address) ?? this.#leaver(known, address, this.of(db, lock));
    if (!known.listeners.delete(address) && known.unseen > 0) known.unseen--;
    if (client === undefined) return { left: [] };
    // One that was refused only once is not listening yet: its own SUBSCRIBE is still to come.
    const left = this.of(db, lock).filter((wait) => wait.isAsleep && clientOf(wait.holder) === client);
    const ended = left.at(-1)?.holder ?? known.lastEnded.get(client);
    known.lastEnded.delete(client);
    known.unused.delete(client);
    if (known.listeners.size === 0 && known.unseen === 0) this.#channels.delete(channel);
    return { client, ...(ended === undefined ? {} : { ended }), left };
  }

  /** A message went out: every listening client has one more to wake a sleeper with. */
  published(channel: string): void {
    const known = this.#channels.get(channel);
    for (const client of new Set(known?.listeners.values())) {
      if (client !== undefined) known?.unused.set(client, (known.unused.get(client) ?? 0) + 1);
    }
  }

  /** Whether the client has a message left to wake a sleeper with. */
  hasMessage(channel: string, client: string): boolean {
    return (this.#channels.get(channel)?.unused.get(client) ?? 0) > 0;
  }

  /** Takes one message of the sleeper's client, if it has one left. */
  useMessage(channel: string, client: string): void {
    const unused = this.#channels.get(channel)?.unused;
    const count = unused?.get(client) ?? 0;
    if (count > 0) unused?.set(client, count - 1);
  }

  /** Every channel this connection listens on. */
  channelsOf(address: string): string[] {
    const found: string[] = [];
    for (const [channel, known] of this.#channels) if (known.listeners.has(address)) found.push(channel);
    return found;
  }

  /** Connections that listen on the channel, those counted only by a snapshot included. */
  listeners(channel: string): number {
    const known = this.#channels.get(channel);
    return known ? known.listeners.size + known.unseen : 0;
  }

  /** Takes a snapshot's count of listeners as the truth. */
  counted(channel: string, count: number): void {
    const known = count > 0 ? this.#channel(channel) : this.#channels.get(channel);
    if (!known) return;
    known.unseen = Math.max(0, count - known.listeners.size);
    if (count === 0) known.listeners.clear();
  }

  /** A connection is gone without a word: it listens nowhere any more. */
  forget(address: string): void {
    for (const known of this.#channels.values()) known.listeners.delete(address);
  }

  /** Those whose client has no connection left; each is given once. A single try that nobody waited behind is not. */
  abandoned(): Wait[] {
    const left = [...this.#waits.values()].filter((wait) => this.#clients.isGone(clientOf(wait.holder)));
    const found = left.filter((wait) => !wait.isPresumedGone && (wait.isAsleep || wait.joinedAt !== undefined));
    for (const wait of left) this.end(wait, '');
    return found;
  }

  /** Sleepers that should have asked again by `at` and did not; each is given once. */
  silent(at: RedisTime, lastMessageAt: (wait: Wait) => RedisTime | undefined): Wait[] {
    const found: Wait[] = [];
    for (const wait of this.#waits.values()) {
      if (wait.isPresumedGone || !wait.isAsleep) {
        if (plusMillis(wait.lastAttemptAt, FORGOTTEN) < at) this.end(wait, '');
        continue;
      }
      const due = this.#dueAt(wait, lastMessageAt(wait));
      if (due === undefined || due > at) continue;
      wait.isPresumedGone = true;
      found.push(wait);
    }
    return found;
  }

  /** Whether an attempt at `at` can be this sleeper's own timer. */
  isTimerDue(wait: Wait, at: RedisTime): boolean {
    return wait.toldMs !== null && at >= plusMillis(wait.lastAttemptAt, wait.toldMs - EARLY);
  }

  #dueAt(wait: Wait, messageAt: RedisTime | undefined): RedisTime | undefined {
    const timer = wait.toldMs === null ? undefined : plusMillis(wait.lastAttemptAt, wait.toldMs + SILENCE);
    const isAlone =
      this.of(wait.db, wait.lock).filter((other) => clientOf(other.holder) === clientOf(wait.holder)).length === 1;
    // A message wakes one sleeper of each client: with several, nobody can say which one should have moved.
    if (isAlone && messageAt !== undefined && messageAt > wait.lastAttemptAt) {
      const afterMessage = plusMillis(messageAt, SILENCE_AFTER_MESSAGE);
      return timer === undefined || afterMessage < timer ? afterMessage : timer;
    }
    return timer;
  }

  /**
   * Whose an UNSUBSCRIBE from an unknown connection is: somebody's whose wait just ended, or ends with it. Whoever
   * listens on a known connection has no other.
   */
  #leaver(known: Channel, address: string, waits: readonly Wait[]): string | undefined {
    const others = new Set(known.listeners.values());
    const possible = new Set([...known.lastEnded.keys(), ...waits.map((wait) => clientOf(wait.holder))]);
    const candidates = [...possible].filter((client) => !others.has(client) && this.#clients.couldBe(address, client));
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  /** Every waiter of a client shares its subscription; the first one caused it. */
  #join(db: number, lock: string, client: string, at: RedisTime): { wait?: Wait } {
    const waits = this.of(db, lock).filter((other) => clientOf(other.holder) === client);
    for (const wait of waits) wait.joinedAt = at;
    const [wait] = waits;
    return wait ? { wait } : {};
  }

  #channel(channel: string): Channel {
    const known = this.#channels.get(channel);
    if (known) return known;
    const made: Channel = { listeners: new Map(), unseen: 0, lastEnded: new Map(), unused: new Map() };
    this.#channels.set(channel, made);
    return made;
  }
}

function waitId(db: number, lock: string, holder: string): string {
  return `${db}/${holder}/${lock}`;
}
