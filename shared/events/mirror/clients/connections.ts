import type { RedisTime } from '../../../base/time.ts';
import type { VersionRange } from '../../libraries/script-versions.ts';
import { type Client, type FormerUse, hostOf, isShared } from './client.ts';

export type Connection = {
  /** Undefined: not known, or the connection belongs to a proxy. */
  client: Client | undefined;
  /** Undefined: it has none, or the name is not known. */
  name: string | undefined;
  /** When the connection gave itself its name. */
  namedAt?: RedisTime;
  lastSeen: RedisTime;
  /** When the client's last script arrived on the connection. */
  heardAt?: RedisTime;
  /** The client's first script on a connection of another client, until a list shows whether the port was reused. */
  formerUse?: FormerUse;
  /** Tokens that acquired a lock on this connection and hold it for long: the newest 20. */
  tokens?: readonly Client[];
  /** A token attempted a lock on this connection. */
  hasAsked?: true;
  /** Several clients use this connection in turn, so it belongs to a proxy. */
  isShared?: true;
  /** The Redisson versions that the connection's client may have, even if the client is not known yet. */
  version?: VersionRange;
};

const MOST_CONNECTIONS = 50_000;

/** Every connection that was seen, and that no client list has shown as ended, by its address. */
export class Connections {
  /** Whether a client list was seen: before that, names of connections may not be known. */
  hasList = false;
  readonly #byAddress = new Map<string, Connection>();

  get(address: string): Connection | undefined {
    return this.#byAddress.get(address);
  }

  /** The connection at this address, which was used at `at`. It is added if it was not seen before. */
  use(address: string, at: RedisTime): Connection {
    const known = this.#byAddress.get(address);
    if (known) {
      known.lastSeen = at;
      return known;
    }
    if (this.#byAddress.size >= MOST_CONNECTIONS) this.#forgetOldest();
    const connection: Connection = { client: undefined, name: undefined, lastSeen: at };
    this.#byAddress.set(address, connection);
    return connection;
  }

  delete(address: string): void {
    this.#byAddress.delete(address);
  }

  clear(): void {
    this.#byAddress.clear();
  }

  [Symbol.iterator](): IterableIterator<[address: string, connection: Connection]> {
    return this.#byAddress[Symbol.iterator]();
  }

  /** Notes that a connection at this address was used. */
  note(address: string, at: RedisTime): void {
    if (!isShared(address)) this.use(address, at);
  }

  /** Like `note`, if the connection is known. */
  noteIfKnown(address: string, at: RedisTime): void {
    const known = this.#byAddress.get(address);
    if (known && !isShared(address)) known.lastSeen = at;
  }

  /**
   * Notes the name of a connection that was used at `at`. `namedAt`: when it gave itself the name, if that was seen.
   */
  name(address: string, name: string, at: RedisTime, namedAt?: RedisTime): void {
    if (isShared(address)) return;
    const connection = this.use(address, at);
    if (namedAt !== undefined) connection.namedAt = namedAt;
    rename(connection, name);
  }

  /** Whether a connection at this address was seen, and no client list has since shown that it ended. */
  has(address: string): boolean {
    return this.#byAddress.has(address);
  }

  /** Whether a client, or a token that holds or attempted a lock, is known to use this address. */
  isOwned(address: string): boolean {
    const { client, hasAsked, tokens = [] } = this.#byAddress.get(address) ?? {};
    return client !== undefined || hasAsked === true || tokens.length > 0;
  }

  /** Notes that a token attempted a lock on this connection. */
  noteAttempt(address: string, at: RedisTime): void {
    if (!isShared(address)) this.use(address, at).hasAsked = true;
  }

  /** Whether two connections may belong to one pool: they have one host and the same name, if any. */
  areOfOnePool(one: string, other: string): boolean {
    return hostOf(one) === hostOf(other) && this.nameAt(one) === this.nameAt(other);
  }

  /**
   * Like `areOfOnePool`, but also true if a name is not known. Before the first client list, the names of connections
   * opened before watching began are not known.
   */
  mayBeOfOnePool(one: string, other: string): boolean {
    const isUnknown = !this.hasList && (this.nameAt(one) === undefined || this.nameAt(other) === undefined);
    return this.areOfOnePool(one, other) || (isUnknown && hostOf(one) === hostOf(other));
  }

  /** The name of the connection at this address; undefined if it has none, or if it is not known. */
  nameAt(address: string): string | undefined {
    return this.#byAddress.get(address)?.name;
  }

  /** When the connection at this address gave itself its name; undefined if that was not seen. */
  namedAt(address: string): RedisTime | undefined {
    return this.#byAddress.get(address)?.namedAt;
  }

  /** Forgets a tenth of them at once: finding the first key of a Map steps over all keys deleted before it. */
  #forgetOldest(): void {
    let left = MOST_CONNECTIONS / 10;
    for (const address of this.#byAddress.keys()) {
      this.#byAddress.delete(address);
      if (--left === 0) return;
    }
  }
}

export function rename(connection: Connection, name: string): void {
  connection.name = name === '' ? undefined : name;
  if (connection.client && name !== '') connection.client.name = name;
}
