import type { RedisTime } from '../../../base/time.ts';
import { ChannelConnections } from './channel-connections.ts';
import type { Clients } from './clients.ts';

/** The subscribers of one channel, and its messages. */
export type Channel = {
  readonly name: string;
  /** The lock, if the channel belongs to a single waiter. */
  ownOf: string | undefined;
  readonly listeners: ChannelConnections;
  /** Subscribers that a read counted, but that were not seen to subscribe. */
  unseen: number;
  /** By client: the holder whose wait on this lock ended last. The end of that wait causes the next UNSUBSCRIBE. */
  readonly lastEnded: Map<string, string>;
  /**
   * By client: messages that have not woken a sleeper yet. A client keeps a message that arrives while none of its
   * threads sleeps, so a waiter may fall asleep and wake up at once.
   */
  readonly unused: Map<string, number>;
  /** By client: messages that were matched to a waiter by a guess. */
  readonly guessed: Map<string, number>;
  /** Messages published since the channel was added, and when the newest was. */
  sent: number;
  sentAt?: RedisTime;
};

/** Which connections listen on which lock channel, and what messages they were sent. */
export class Listeners {
  readonly #channels = new Map<string, Channel>();
  /** Channels that belong to one waiter each, by the lock's name. */
  readonly #ownChannels = new Map<string, Set<string>>();
  readonly #clients: Clients;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** What is known about a channel; undefined: it has no subscribers, as far as is known. */
  find(channel: string): Channel | undefined {
    return this.#channels.get(channel);
  }

  /**
   * Whether this client may be subscribed to the channel. A subscriber whose client is not known counts if it may be
   * this client's.
   */
  isListening(channel: string, client: string): boolean {
    const known = this.#channels.get(channel);
    if (!known) return false;
    if (known.unseen > 0) return true;
    if (known.listeners.hasClient(client)) return true;
    if (!known.listeners.hasClient(undefined)) return false;
    for (const [address, uuid] of known.listeners.entries()) {
      if (uuid === undefined && this.#clients.couldBe(address, client)) return true;
    }
    return false;
  }

  /** Whether a read counted subscribers that were never seen to subscribe. */
  hasUnseen(channel: string): boolean {
    return (this.#channels.get(channel)?.unseen ?? 0) > 0;
  }

  /** Notes a message: each subscribed client can wake one more sleeper, or as many as `sleepers` has for it. */
  published(channel: string, at: RedisTime, sleepers?: ReadonlyMap<string, number>): void {
    const known = this.#channels.get(channel);
    if (known) {
      known.sent++;
      known.sentAt = at;
    }
    for (const client of known?.listeners.clients() ?? []) {
      const count = sleepers ? (sleepers.get(client ?? '') ?? 0) : 1;
      if (client !== undefined) known?.unused.set(client, (known.unused.get(client) ?? 0) + count);
    }
  }

  /** How many messages were published on the channel since it was added; 0 if it is not known. */
  sentOn(channel: string): number {
    return this.#channels.get(channel)?.sent ?? 0;
  }

  /** Whether the client's connection is not known, but it may be subscribed: then its messages cannot be counted. */
  isUncounted(channel: string, client: string): boolean {
    const listeners = this.#channels.get(channel)?.listeners;
    return listeners !== undefined && !listeners.hasClient(client) && this.isListening(channel, client);
  }

  /** Whether a message for this client has not woken a sleeper yet, and the newest one was published in this range. */
  hasMessageOf(channel: string, client: string, after: RedisTime, until: RedisTime): boolean {
    const { sentAt } = this.#channels.get(channel) ?? {};
    return sentAt !== undefined && sentAt > after && sentAt <= until && this.hasMessage(channel, client);
  }

  /** Whether a message for this client has not woken a sleeper yet. */
  hasMessage(channel: string, client: string): boolean {
    return (this.#channels.get(channel)?.unused.get(client) ?? 0) > 0;
  }

  /**
   * Consumes one pending message of the client. If none is pending, an earlier guess was wrong, and its message is
   * consumed instead. `isGuess`: `takeGuessBack` can undo this.
   */
  useMessage(channel: string, client: string, isGuess = false): void {
    const known = this.#channels.get(channel);
    const count = known?.unused.get(client) ?? 0;
    if (count > 0) known?.unused.set(client, count - 1);
    else if (!this.takeGuessBack(channel, client)) return;
    if (isGuess) known?.guessed.set(client, (known.guessed.get(client) ?? 0) + 1);
  }

  /** Undoes one guess, so that its message is available for another sleeper; false if there was no guess. */
  takeGuessBack(channel: string, client: string): boolean {
    const guessed = this.#channels.get(channel)?.guessed;
    const count = guessed?.get(client) ?? 0;
    if (count > 0) guessed?.set(client, count - 1);
    return count > 0;
  }

  /** Every channel to which this connection is subscribed. */
  channelsOf(address: string): string[] {
    const found: string[] = [];
    for (const [channel, known] of this.#channels) if (known.listeners.has(address)) found.push(channel);
    return found;
  }

  /** How many connections are subscribed, including those that only a read counted. */
  count(channel: string): number {
    const known = this.#channels.get(channel);
    return known ? known.listeners.size + known.unseen : 0;
  }

  /** How many waiters of a lock listen on their own channels. */
  countOwn(lock: string): number {
    return this.#ownChannels.get(lock)?.size ?? 0;
  }

  /** Notes the number of subscribers that a read found. Known subscribers stay, unless the number is 0. */
  counted(channel: string, count: number): void {
    const known = count > 0 ? this.take(channel) : this.#channels.get(channel);
    if (!known) return;
    known.unseen = Math.max(0, count - known.listeners.size);
    if (count === 0) known.listeners.clear();
  }

  /** Forgets all subscriptions, because another server is watched from here on. */
  displace(): void {
    this.#channels.clear();
    this.#ownChannels.clear();
  }

  /** A connection ended without UNSUBSCRIBE: removes all its subscriptions. */
  forget(address: string): void {
    for (const known of this.#channels.values()) {
      if (!known.listeners.delete(address)) continue;
      this.#noteOwn(known);
      this.tidy(known);
    }
  }

  /** Notes a subscription. `ownOf`: the lock, if the channel belongs to a single waiter. */
  add(known: Channel, address: string, client: string | undefined, ownOf?: string): void {
    known.listeners.set(address, client);
    if (ownOf === undefined) return;
    known.ownOf = ownOf;
    this.#noteOwn(known);
  }

  /** Notes that a connection is no longer subscribed. */
  remove(known: Channel, address: string): void {
    if (!known.listeners.delete(address) && known.unseen > 0) known.unseen--;
    this.#noteOwn(known);
  }

  /** Forgets a channel without subscribers. */
  tidy(known: Channel): void {
    if (known.listeners.size === 0 && known.unseen === 0) this.#channels.delete(known.name);
  }

  #noteOwn({ name, ownOf, listeners }: Channel): void {
    if (ownOf === undefined) return;
    const channels = this.#ownChannels.get(ownOf) ?? new Set();
    if (listeners.size > 0) channels.add(name);
    else channels.delete(name);
    if (channels.size > 0) this.#ownChannels.set(ownOf, channels);
    else this.#ownChannels.delete(ownOf);
  }

  /** What is known about a channel, created empty if it is new. */
  take(channel: string): Channel {
    const known = this.#channels.get(channel);
    if (known) return known;
    const maps = { lastEnded: new Map(), unused: new Map(), guessed: new Map(), sent: 0 };
    const made: Channel = { name: channel, ownOf: undefined, listeners: new ChannelConnections(), unseen: 0, ...maps };
    this.#channels.set(channel, made);
    return made;
  }
}
