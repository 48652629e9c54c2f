import { ChannelConnections } from './channel-connections.ts';
import type { Clients } from './clients.ts';

/** Who listens on one channel. */
export type Channel = {
  readonly name: string;
  /** The lock, where the channel is one waiter's own. */
  ownOf: string | undefined;
  readonly listeners: ChannelConnections;
  /** Listeners a snapshot counted that were there before anybody watched. */
  unseen: number;
  /** Per client, the holder whose wait there ended last: the cause of an UNSUBSCRIBE that follows. */
  readonly lastEnded: Map<string, string>;
  /**
   * Per client, messages that no sleeper has used up. A client keeps a message that comes while nobody of it
   * sleeps, so a waiter may fall asleep and be awake again at once.
   */
  readonly unused: Map<string, number>;
  /** Per client, messages whose use was only guessed. */
  readonly guessed: Map<string, number>;
  /** Messages published while somebody listened. */
  sent: number;
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

  /** What is known of a channel; undefined: nobody listens. */
  find(channel: string): Channel | undefined {
    return this.#channels.get(channel);
  }

  /** Whether this client listens on the channel, as far as we can know: a listener nobody could place may be it. */
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

  /** Whether a snapshot counted listeners there that were never seen to subscribe. */
  hasUnseen(channel: string): boolean {
    return (this.#channels.get(channel)?.unseen ?? 0) > 0;
  }

  /** A message went out: every listening client has one more to wake a sleeper with, or one for each of its sleepers. */
  published(channel: string, sleepers?: ReadonlyMap<string, number>): void {
    const known = this.#channels.get(channel);
    if (known) known.sent++;
    for (const client of known?.listeners.clients() ?? []) {
      const count = sleepers ? (sleepers.get(client ?? '') ?? 0) : 1;
      if (client !== undefined) known?.unused.set(client, (known.unused.get(client) ?? 0) + count);
    }
  }

  /** How many messages went out on the channel while somebody listened. */
  sentOn(channel: string): number {
    return this.#channels.get(channel)?.sent ?? 0;
  }

  /** Whether nobody knows which of the listeners is this client's: then nobody counts its messages. */
  isUncounted(channel: string, client: string): boolean {
    const listeners = this.#channels.get(channel)?.listeners;
    return listeners !== undefined && !listeners.hasClient(client) && this.isListening(channel, client);
  }

  /** Whether the client has a message left to wake a sleeper with. */
  hasMessage(channel: string, client: string): boolean {
    return (this.#channels.get(channel)?.unused.get(client) ?? 0) > 0;
  }

  /** Takes one message of the sleeper's client, if it has one left; a guess may be taken back. */
  useMessage(channel: string, client: string, isGuess = false): void {
    const known = this.#channels.get(channel);
    const count = known?.unused.get(client) ?? 0;
    if (count > 0) known?.unused.set(client, count - 1);
    if (isGuess) known?.guessed.set(client, (known.guessed.get(client) ?? 0) + 1);
  }

  /** Uses for another sleeper of the client what was used up by a guess; false when nothing was. */
  takeBack(channel: string, client: string): boolean {
    const guessed = this.#channels.get(channel)?.guessed;
    const count = guessed?.get(client) ?? 0;
    if (count > 0) guessed?.set(client, count - 1);
    return count > 0;
  }

  /** Every channel this connection listens on. */
  channelsOf(address: string): string[] {
    const found: string[] = [];
    for (const [channel, known] of this.#channels) if (known.listeners.has(address)) found.push(channel);
    return found;
  }

  /** Connections that listen on the channel, those counted only by a snapshot included. */
  count(channel: string): number {
    const known = this.#channels.get(channel);
    return known ? known.listeners.size + known.unseen : 0;
  }

  /** Waiters of a lock that listen on channels of their own. */
  countOwn(lock: string): number {
    return this.#ownChannels.get(lock)?.size ?? 0;
  }

  /** Takes a snapshot's count of listeners as the truth. */
  counted(channel: string, count: number): void {
    const known = count > 0 ? this.take(channel) : this.#channels.get(channel);
    if (!known) return;
    known.unseen = Math.max(0, count - known.listeners.size);
    if (count === 0) known.listeners.clear();
  }

  /** Another server is watched from here on: nobody was seen to listen there. */
  displace(): void {
    this.#channels.clear();
    this.#ownChannels.clear();
  }

  /** A connection is gone without a word: it listens nowhere any more. */
  forget(address: string): void {
    for (const known of this.#channels.values()) {
      if (!known.listeners.delete(address)) continue;
      this.#noteOwn(known);
      this.tidy(known);
    }
  }

  /** Notes that a connection listens; `ownOf`: on a channel that is one waiter's own. */
  add(known: Channel, address: string, client: string | undefined, ownOf?: string): void {
    known.listeners.set(address, client);
    if (ownOf === undefined) return;
    known.ownOf = ownOf;
    this.#noteOwn(known);
  }

  /** Notes that a connection listens no more. */
  remove(known: Channel, address: string): void {
    if (!known.listeners.delete(address) && known.unseen > 0) known.unseen--;
    this.#noteOwn(known);
  }

  /** Forgets a channel on which nobody listens. */
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

  /** What is known of a channel, made empty when that is nothing. */
  take(channel: string): Channel {
    const known = this.#channels.get(channel);
    if (known) return known;
    const maps = { lastEnded: new Map(), unused: new Map(), guessed: new Map(), sent: 0 };
    const made: Channel = { name: channel, ownOf: undefined, listeners: new ChannelConnections(), unseen: 0, ...maps };
    this.#channels.set(channel, made);
    return made;
  }
}
