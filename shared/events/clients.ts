import { type RedisTime, redisTime } from '../base/time.ts';
import type { ClientRow } from '../signals/signal.ts';
import { narrowed, type VersionRange } from './recognise/script-versions.ts';

/** A Redisson client, as far as its connections and scripts tell. */
export type Client = {
  readonly uuid: string;
  /** Addresses of the connections it may still have. */
  readonly addresses: Set<string>;
  name: string | null;
  /** The releases it can be. */
  version: VersionRange | undefined;
  /** Its connections were to another server, and nothing was heard of it since: nobody knows whether it lives. */
  isUnplaced: boolean;
};

type Connection = {
  client: Client | undefined;
  name: string | undefined;
  lastSeen: RedisTime;
  /** The releases its client can be, told before it was known whose connection this is. */
  version?: VersionRange;
};

const MOST_CONNECTIONS = 50_000;
const MOST_CLIENTS = 50_000;

/**
 * Which connection belongs to which Redisson client (uuid), learnt from the script heads that carry a holder id.
 *
 * Pub/sub connections never carry one. Theirs is learnt from the only client that can have sent it: same host and,
 * where both are named, same connection name (`protocol.md` 3.4).
 */
export class Clients {
  readonly #connections = new Map<string, Connection>();
  readonly #clients = new Map<string, Client>();
  /** Versions told by scripts over connections that belong to nobody alone. */
  readonly #versions = new Map<string, VersionRange>();
  /** Called when a client is seen for the first time. */
  onNew: (uuid: string) => void = () => {};

  /** Notes that a command of this client came from this address. */
  learn(address: string, uuid: string, at: RedisTime): void {
    const connection = this.#connection(address, at);
    if (connection.client?.uuid === uuid || isShared(address)) return;
    connection.client?.addresses.delete(address); // the port was used again
    const known = this.#clients.get(uuid);
    const client = known ?? {
      uuid,
      addresses: new Set(),
      name: null,
      version: this.#versions.get(uuid),
      isUnplaced: false,
    };
    client.addresses.add(address);
    client.isUnplaced = false;
    if (connection.name !== undefined) client.name = connection.name;
    connection.client = client;
    if (connection.version) client.version = narrowed(client.version, connection.version);
    if (known) return;
    if (this.#clients.size >= MOST_CLIENTS) this.#forgetClients();
    this.#clients.set(uuid, client);
    this.onNew(uuid);
  }

  name(address: string, name: string, at: RedisTime): void {
    if (isShared(address)) return;
    const connection = this.#connection(address, at);
    connection.name = name === '' ? undefined : name;
    if (connection.client && name !== '') connection.client.name = name;
  }

  uuidAt(address: string): string | undefined {
    return this.#connections.get(address)?.client?.uuid;
  }

  /** The name of the connection at this address; undefined where it has none, or none is known. */
  nameAt(address: string): string | undefined {
    return this.#connections.get(address)?.name;
  }

  addressesOf(uuid: string): ReadonlySet<string> {
    return this.#clients.get(uuid)?.addresses ?? new Set();
  }

  /** Whether this connection can be one of that client's, by host and name. */
  couldBe(address: string, uuid: string): boolean {
    const connection = this.#connections.get(address);
    if (connection?.client) return connection.client.uuid === uuid;
    if (this.isGone(uuid)) return false;
    const own = [...this.addressesOf(uuid)];
    if (own.length === 0) return true;
    return own.some((other) => {
      const name = this.#connections.get(other)?.name;
      const isSameName = name === undefined || connection?.name === undefined || name === connection.name;
      return isSameName && hostOf(other) === hostOf(address);
    });
  }

  /** Another server is watched from here on: no connection known is to it. */
  displace(): void {
    this.#connections.clear();
    for (const client of this.#clients.values()) {
      client.addresses.clear();
      client.isUnplaced = true;
    }
  }

  /** Whether every connection it was ever seen on has ended. */
  isGone(uuid: string): boolean {
    const client = this.#clients.get(uuid);
    return client?.addresses.size === 0 && !client.isUnplaced;
  }

  /** Narrows the releases this client can be, by a script it sent. */
  dateBy(uuid: string, range: VersionRange): void {
    const client = this.#clients.get(uuid);
    if (this.#versions.size >= MOST_CLIENTS) this.#versions.clear();
    if (client) client.version = narrowed(client.version, range);
    else this.#versions.set(uuid, narrowed(this.#versions.get(uuid), range));
  }

  /** The same by what a connection sent, whoever's it is. */
  dateConnection(address: string, range: VersionRange, at: RedisTime): void {
    if (isShared(address)) return;
    const connection = this.#connection(address, at);
    connection.version = range;
    if (connection.client) this.dateBy(connection.client.uuid, range);
  }

  /** Every client ever seen, with the connections it may still have and when one of them was last used. */
  all(): { uuid: string; addresses: string[]; name: string | null; isUnplaced: boolean; lastSeen: RedisTime }[] {
    return [...this.#clients.values()].map(({ uuid, addresses: known, name, isUnplaced }) => {
      const addresses = [...known];
      const seen = addresses.map((address) => this.#connections.get(address)?.lastSeen ?? 0);
      return { uuid, addresses, name, isUnplaced, lastSeen: redisTime(Math.max(0, ...seen)) };
    });
  }

  versionOf(uuid: string): VersionRange | undefined {
    return (this.#clients.get(uuid) ?? NOBODY).version ?? this.#versions.get(uuid);
  }

  /**
   * Compares with CLIENT LIST and gives back the addresses that are connected no more.
   * A connection seen after the list was made is not counted as missing.
   */
  gone(rows: readonly ClientRow[], at: RedisTime): string[] {
    const present = new Set(rows.map((row) => row.address));
    for (const row of rows) {
      const connection = this.#connections.get(row.address);
      if (connection) {
        const { lastSeen } = connection;
        this.name(row.address, row.name, at);
        connection.lastSeen = lastSeen;
      } else this.name(row.address, row.name, redisTime(0));
    }
    const gone: string[] = [];
    for (const [address, connection] of this.#connections) {
      if (present.has(address) || connection.lastSeen > at - 1_000_000) continue;
      gone.push(address);
      this.#connections.delete(address);
      connection.client?.addresses.delete(address);
    }
    return gone;
  }

  /** Many at once: to find the first key of a Map, all that were deleted before it are stepped over. */
  #forgetOldest(): void {
    let left = MOST_CONNECTIONS / 10;
    for (const address of this.#connections.keys()) {
      this.#connections.delete(address);
      if (--left === 0) return;
    }
  }

  /** Many at once as well: first those that have no connection left, then those that came first. */
  #forgetClients(): void {
    const isConnected = ({ addresses }: Client) => (addresses.size > 0 ? 1 : 0);
    const inOrder = [...this.#clients.values()].sort((a, b) => isConnected(a) - isConnected(b));
    for (const { uuid, addresses } of inOrder.slice(0, MOST_CLIENTS / 10)) {
      for (const address of addresses) this.#connections.delete(address);
      this.#clients.delete(uuid);
    }
  }

  #connection(address: string, at: RedisTime): Connection {
    const known = this.#connections.get(address);
    if (known) {
      known.lastSeen = at;
      return known;
    }
    if (this.#connections.size >= MOST_CONNECTIONS) this.#forgetOldest();
    const connection: Connection = { client: undefined, name: undefined, lastSeen: at };
    this.#connections.set(address, connection);
    return connection;
  }
}

const NOBODY: { version?: VersionRange } = {};

/** Over a unix socket every connection has the same address, so an address tells nothing. */
function isShared(address: string): boolean {
  return address.startsWith('unix:');
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
