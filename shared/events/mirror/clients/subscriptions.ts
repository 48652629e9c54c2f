import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { clientOf } from '../../names/names.ts';
import type { Clients } from './clients.ts';
import type { Channel, Listeners } from './listeners.ts';
import { isLone, type Wait } from './wait.ts';

/** A client sends SUBSCRIBE right after the refusal, unless the machine is busy. */
const SUBSCRIBES_WITHIN: Millis = 100;

/** Waits, and listening connections. */
type Waits = {
  readonly listeners: Listeners;
  find(db: number, lock: string, holder: string): Wait | undefined;
  of(db: number, lock: string): Wait[];
};

/** Finds the wait that caused a SUBSCRIBE or UNSUBSCRIBE: the commands show neither client nor thread. */
export class Subscriptions {
  readonly #waits: Waits;
  readonly #clients: Clients;

  constructor(waits: Waits, clients: Clients) {
    this.#waits = waits;
    this.#clients = clients;
  }

  /**
   * Notes a SUBSCRIBE. Returns the client and the wait that caused it, if only one client can have sent it.
   *
   * If the connection's client is known, it is that one. Otherwise candidates are clients with a refused attempt on
   * this lock that do not listen yet. If several fit, the connection is noted without a client. If there is no
   * candidate, the thread had given up before its SUBSCRIBE arrived. Then the name of the connection decides.
   */
  begin(
    db: number,
    lock: string,
    channel: string,
    address: string,
    at: RedisTime,
    waiter?: string,
  ): { client?: string; wait?: Wait } {
    const known = this.#waits.listeners.take(channel);
    this.#clients.connections.note(address, at);
    if (waiter !== undefined) return this.#subscribeOne(known, { db, lock, waiter }, address, at);
    const uuid = this.#clients.uuidAt(address);
    if (uuid !== undefined) {
      this.#waits.listeners.add(known, address, uuid);
      return { client: uuid, ...this.#join(db, lock, uuid, at) };
    }
    const candidates = new Set<string>();
    for (const wait of this.#waits.of(db, lock)) {
      const client = clientOf(wait.holder);
      const isListening = known.listeners.hasClient(client);
      if (!isListening && this.#clients.couldBe(address, client)) candidates.add(client);
    }
    const [only] = candidates;
    if (candidates.size === 1 && only !== undefined) {
      this.#waits.listeners.add(known, address, only);
      this.#clients.learn(address, only, at);
      return { client: only, ...this.#join(db, lock, only, at) };
    }
    const namesake = candidates.size === 0 ? this.#clients.onlyNamesake(address) : undefined;
    const client = namesake === undefined || known.listeners.hasClient(namesake) ? undefined : namesake;
    this.#waits.listeners.add(known, address, client);
    return client === undefined ? {} : { client };
  }

  /** Notes a SUBSCRIBE to a fair waiter's own channel, which carries the waiter's name. */
  #subscribeOne(known: Channel, of: { db: number; lock: string; waiter: string }, address: string, at: RedisTime) {
    const client = clientOf(of.waiter);
    const wait = this.#waits.find(of.db, of.lock, of.waiter);
    this.#waits.listeners.add(known, address, client, of.lock);
    this.#clients.learn(address, client, at);
    if (wait) wait.joinedAt = at;
    return { client, ...(wait ? { wait } : undefined) };
  }

  /**
   * Notes an UNSUBSCRIBE. Returns its client, the holder whose wait ended, and the sleepers that the client leaves
   * behind.
   */
  end(
    db: number,
    lock: string,
    channel: string,
    address: string,
    waiter?: string,
  ): { client?: string; ended?: string; left: Wait[] } {
    const known = this.#waits.listeners.find(channel);
    if (!known) return this.#neverListened(db, lock, address);
    const waitOfThread = waiter === undefined ? undefined : this.#waits.find(db, lock, waiter);
    const waits = waiter === undefined ? this.#waits.of(db, lock) : waitOfThread ? [waitOfThread] : [];
    const listener = waiter === undefined ? known.listeners.get(address) : clientOf(waiter);
    const client = listener ?? this.#clients.uuidAt(address) ?? this.#leaver(known, address, waits);
    this.#waits.listeners.remove(known, address);
    if (client === undefined) return { left: [] };
    // A thread that was refused only once may not be listening yet: its own SUBSCRIBE may follow.
    const isHere = ({ isAsleep, isListener, isPresumedGone }: Wait) => isAsleep || (isListener && !isPresumedGone);
    const left = waits.filter((wait) => isHere(wait) && clientOf(wait.holder) === client);
    const ended = left.at(-1)?.holder ?? known.lastEnded.get(client);
    known.lastEnded.delete(client);
    known.unused.delete(client);
    known.guessed.delete(client);
    this.#waits.listeners.tidy(known);
    return { client, ...(ended === undefined ? {} : { ended }), left };
  }

  /** The SUBSCRIBE was refused or not seen: the client is known by its connection, or as the only candidate. */
  #neverListened(db: number, lock: string, address: string): { client?: string; ended?: string; left: Wait[] } {
    const waits = this.#waits.of(db, lock);
    const possible = new Set(waits.map(({ holder }) => clientOf(holder)));
    const candidates = [...possible].filter((client) => this.#clients.couldBe(address, client));
    const client = this.#clients.uuidAt(address) ?? (candidates.length === 1 ? candidates[0] : undefined);
    if (client === undefined) return { left: [] };
    const ofClient = waits.filter(({ holder }) => clientOf(holder) === client);
    const [only] = ofClient;
    return { client, ...(ofClient.length === 1 && only ? { ended: only.holder } : {}), left: [] };
  }

  /**
   * The client of an UNSUBSCRIBE from an unknown connection, if there is only one candidate: a client whose wait just
   * ended, or ends with this UNSUBSCRIBE. A client that listens on a known connection has no other one.
   */
  #leaver(known: Channel, address: string, waits: readonly Wait[]): string | undefined {
    const possible = new Set([...known.lastEnded.keys(), ...waits.map((wait) => clientOf(wait.holder))]);
    const candidates = [...possible].filter(
      (client) => !known.listeners.hasClient(client) && this.#clients.couldBe(address, client),
    );
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  /**
   * All waiters of a client share its subscription; the first one caused it. A thread refused once, more than 100 ms
   * ago, did not cause it, because a client subscribes at once. If that excludes all, it was the last one.
   */
  #join(db: number, lock: string, client: string, at: RedisTime): { wait?: Wait } {
    const waits = this.#waits.of(db, lock).filter((other) => clientOf(other.holder) === client);
    const isFresh = (wait: Wait) => !isLone(wait) || plusMillis(wait.lastAttemptAt, SUBSCRIBES_WITHIN) >= at;
    for (const wait of waits) wait.joinedAt = at;
    const wait = waits.find(isFresh) ?? waits.at(-1);
    if (!wait) return {};
    wait.isListener = true;
    return { wait };
  }
}
