import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { ClientRow } from '../../../signals/signal.ts';
import { narrowed, type VersionRange } from '../../libraries/script-versions.ts';
import { type Client, hostOf, isShared, leave, mayBeConnected, newClient, type ReportedPresence } from './client.ts';
import { type Connection, Connections, rename } from './connections.ts';
import { beginPortDoubt, endPortDoubt, hearBehindProxy, isReused, keepPortDoubt, share } from './port-reuse.ts';

const MOST_CLIENTS = 50_000;
/**
 * A connection that was used or named less than this (in µs) before a CLIENT LIST may be missing in that list, or have
 * no name in it yet.
 */
const JUST_USED = 1_000_000;
/** How many of a client's last connections are remembered. */
const MOST_LAST = 20;
/** How many tokens of one connection are remembered: the newest. */
const MOST_TOKENS = 20;

type ListedClient = Pick<Client, 'uuid' | 'name' | 'isUnplaced'> & {
  readonly addresses: string[];
  readonly isBehindProxy: boolean;
  readonly lastSeen: RedisTime;
};

/**
 * Which connection belongs to which Redisson client (uuid), learnt from scripts that carry a holder id. Also tokens
 * that hold a lock for long, with the connections on which they acquired it.
 *
 * Pub/sub connections never carry a holder id. Their client is learnt if only one client fits: the same host and, if
 * both are named, the same connection name (`docs/protocol.md` 3.4).
 */
export class Clients {
  readonly connections = new Connections();
  /** How often a list has shown whether a port was reused. */
  settled = 0;
  readonly #clients = new Map<string, Client>();
  /** Versions by uuid, for clients without a connection of their own. */
  readonly #versions = new Map<string, VersionRange>();
  /** Returns what was reported about a client before it was seen for the first time. */
  reportedBefore: (uuid: string) => ReportedPresence | undefined = () => undefined;
  /** Called when a client is seen for the first time. */
  onNew: (uuid: string) => void = () => {};
  /** Called when a client that was last reported as idle, gone or unknown sends a lock script. */
  onBack: (client: Client, address: string, at: RedisTime) => void = () => {};

  /**
   * Notes that a command of this client came from this address. `library`: the library of its locks, if it is not
   * Redisson. Returns the client; undefined if the connection is also used by others.
   */
  learn(address: string, uuid: string, at: RedisTime, library?: string): Client | undefined {
    const connection = this.connections.use(address, at);
    if (isShared(address)) return undefined;
    if (!connection.isShared && connection.client?.uuid !== uuid) this.#place(connection, address, uuid, at);
    if (connection.isShared) {
      this.#heardBehindProxy(address, uuid, at);
      return undefined;
    }
    connection.heardAt = at;
    const { client } = connection;
    if (client && library !== undefined) client.ofLibrary = library;
    if (client?.reported !== undefined && client.reported.presence !== 'connected') this.onBack(client, address, at);
    return client;
  }

  /**
   * Notes that this token, which identifies one hold and not a client, acquired a lock on a connection at `at`. `name`:
   * the connection's name at that time. `hasNoPool`: its library uses one connection.
   */
  learnToken(
    address: string,
    token: string,
    at: RedisTime,
    { name, hasNoPool }: { name?: string | undefined; hasNoPool?: boolean } = {},
  ): void {
    if (isShared(address) || this.#clients.has(token)) return;
    const connection = this.connections.get(address) ?? this.connections.use(address, at);
    if (connection.isShared) return;
    const client = this.#begin(token);
    client.isToken = true;
    if (hasNoPool === true) client.hasNoPool = true;
    client.isUnplaced = false;
    client.name = connection.name ?? name ?? null;
    client.addresses.add(address);
    connection.tokens = [...(connection.tokens ?? []), client].slice(-MOST_TOKENS);
  }

  #heardBehindProxy(address: string, uuid: string, at: RedisTime): void {
    const client = this.#clients.get(uuid);
    if (!client) return;
    hearBehindProxy(client, address, at);
    if (client.reported !== undefined && client.reported.presence !== 'connected') this.onBack(client, address, at);
  }

  /**
   * The connection belongs to this client from now on. If it belonged to another client, its port was reused, or it is
   * a proxy's. If this client had it before that one, it is a proxy's, and belongs to no client.
   */
  #place(connection: Connection, address: string, uuid: string, at: RedisTime): void {
    const { client: owner, formerUse, heardAt } = connection;
    const client = this.#clients.get(uuid) ?? this.#begin(uuid);
    if (formerUse?.former === client) return share(connection, address);
    if (owner) {
      leave(owner, address);
      beginPortDoubt(connection, address, { former: owner, lastAt: heardAt ?? at, at });
    }
    connection.client = client;
    client.addresses.add(address);
    client.isUnplaced = false;
    if (connection.name !== undefined) client.name = connection.name;
    if (connection.version) client.version = narrowed(client.version, connection.version);
  }

  /**
   * A client list made after another client's script shows the connection. The age of the connection in the list
   * decides whether the port was reused.
   */
  #settle(connection: Connection, row: ClientRow, at: RedisTime): void {
    const { formerUse } = connection;
    if (!formerUse || formerUse.at > at - JUST_USED) return;
    this.settled++;
    if (isReused(formerUse, row, at)) endPortDoubt(connection, row.address);
    else share(connection, row.address);
  }

  #begin(uuid: string): Client {
    const client = newClient(uuid, this.#versions.get(uuid));
    client.reported = this.reportedBefore(uuid);
    if (this.#clients.size >= MOST_CLIENTS) this.#forgetClients();
    this.#clients.set(uuid, client);
    this.onNew(uuid);
    return client;
  }

  uuidAt(address: string): string | undefined {
    return this.connections.get(address)?.client?.uuid;
  }

  addressesOf(uuid: string): ReadonlySet<string> {
    return this.#clients.get(uuid)?.addresses ?? new Set();
  }

  /** Whether this connection can belong to this client, by host and name. */
  couldBe(address: string, uuid: string): boolean {
    const connection = this.connections.get(address);
    if (connection?.client) return connection.client.uuid === uuid;
    if (this.isGone(uuid)) return false;
    const addresses = [...this.addressesOf(uuid)];
    if (addresses.length === 0) return true;
    return addresses.some((other) => {
      const name = this.connections.get(other)?.name;
      const isSameName = name === undefined || connection?.name === undefined || name === connection.name;
      return isSameName && hostOf(other) === hostOf(address);
    });
  }

  /**
   * The client of this host whose connections have the name of this one; undefined if this connection has no name, or
   * if several clients fit.
   */
  onlyNamesake(address: string): string | undefined {
    const name = this.connections.nameAt(address);
    if (name === undefined) return undefined;
    const hasSameNameAndHost = (other: string) =>
      this.connections.nameAt(other) === name && hostOf(other) === hostOf(address);
    let found: string | undefined;
    for (const { uuid, isToken, addresses } of this.#clients.values()) {
      if (isToken || ![...addresses].some(hasSameNameAndHost)) continue;
      if (found !== undefined) return undefined;
      found = uuid;
    }
    return found;
  }

  /** Forgets all connections, because another server is watched from here on. */
  displace(): void {
    this.connections.clear();
    for (const client of this.#clients.values()) {
      client.addresses.clear();
      client.inTurn.clear();
      client.isUnplaced = true;
      client.reported = undefined;
    }
  }

  /** Every client that has sent a lock script, and every token noted by `learnToken`, oldest first. */
  known(): IterableIterator<Client> {
    return this.#clients.values();
  }

  /** When the client last sent a command on one of its known connections, including those that have ended. */
  heardAt({ addresses, last }: Client): RedisTime {
    let newest = last.heardAt;
    for (const address of addresses) newest = redisTime(Math.max(newest, this.connections.get(address)?.lastSeen ?? 0));
    return newest;
  }

  /**
   * The `seq` of the event that reported this client as gone; undefined if the client was seen since, or is not gone.
   */
  goneSeq(uuid: string): number | undefined {
    const reported = this.#clients.get(uuid)?.reported;
    return reported?.presence === 'gone' ? reported.seq : undefined;
  }

  /** Whether a client was ever seen, and not forgotten since. */
  isKnown(uuid: string): boolean {
    return this.#clients.has(uuid);
  }

  /** Whether every known connection of the client has ended, and it cannot have any other. */
  isGone(uuid: string): boolean {
    const client = this.#clients.get(uuid);
    return client?.addresses.size === 0 && !mayBeConnected(client);
  }

  /** Narrows the Redisson versions this client may have, by what it sent. */
  narrowVersion(uuid: string, range: VersionRange, client = this.#clients.get(uuid)): void {
    if (this.#versions.size >= MOST_CLIENTS) this.#versions.clear();
    if (client) client.version = narrowed(client.version, range);
    else this.#versions.set(uuid, narrowed(this.#versions.get(uuid), range));
  }

  /** Like `narrowVersion`, for what a connection sent, even if its client is not known yet. */
  narrowVersionOfConnection(address: string, range: VersionRange, at: RedisTime): void {
    if (isShared(address)) return;
    const connection = this.connections.use(address, at);
    connection.version = range;
    if (connection.client) this.narrowVersion(connection.client.uuid, range);
  }

  /**
   * Every client ever seen, with the connections that it may still have and when one of them was last used.
   * `isBehindProxy`: it may use connections of others, too.
   */
  all(): ListedClient[] {
    return [...this.#clients.values()].map(({ uuid, addresses: known, name, isUnplaced, ...client }) => {
      const addresses = [...known];
      const seen = addresses.map((address) => this.connections.get(address)?.lastSeen ?? 0);
      const isBehindProxy = client.isBehindProxy === true || client.inTurn.size > 0;
      return { uuid, addresses, name, isUnplaced, isBehindProxy, lastSeen: redisTime(Math.max(0, ...seen)) };
    });
  }

  /** Notes that the client and others may use one connection in turn, as through a proxy. */
  noteProxy(uuid: string): void {
    const client = this.#clients.get(uuid);
    if (client) client.isBehindProxy = true;
  }

  versionOf(uuid: string): VersionRange | undefined {
    return (this.#clients.get(uuid) ?? NO_VERSION).version ?? this.#versions.get(uuid);
  }

  /**
   * Compares with CLIENT LIST. Returns the addresses that are no longer connected, and the clients that had them. A
   * connection that was last used less than 1 s before the list, or later, is not counted as missing.
   */
  gone(rows: readonly ClientRow[], at: RedisTime): { gone: string[]; lost: ReadonlySet<Client> } {
    const present = new Set(rows.map((row) => row.address));
    this.connections.hasList = true;
    for (const row of rows) {
      if (isShared(row.address)) continue;
      const connection = this.connections.get(row.address) ?? this.connections.use(row.address, redisTime(0));
      const { namedAt } = connection;
      if (namedAt === undefined || namedAt <= at - JUST_USED) rename(connection, row.name);
      this.#settle(connection, row, at);
    }
    const gone: string[] = [];
    const lost = new Set<Client>();
    for (const [address, connection] of this.connections) {
      const { client, tokens = [], lastSeen } = connection;
      if (present.has(address) || lastSeen > at - JUST_USED) continue;
      gone.push(address);
      keepPortDoubt(connection, address);
      const owners = client ? [client, ...tokens] : tokens;
      for (const owner of owners) {
        if (lost.has(owner)) continue;
        lost.add(owner);
        owner.last = { addresses: [...owner.addresses].slice(0, MOST_LAST), heardAt: this.heardAt(owner) };
      }
      this.connections.delete(address);
      for (const owner of owners) owner.addresses.delete(address);
    }
    return { gone, lost };
  }

  /** Forgets many clients at once: first those without a connection, then the oldest. */
  #forgetClients(): void {
    const rankOf = ({ addresses }: Client) => (addresses.size > 0 ? 1 : 0);
    const inOrder = [...this.#clients.values()].sort((a, b) => rankOf(a) - rankOf(b));
    for (const { uuid, addresses } of inOrder.slice(0, MOST_CLIENTS / 10)) {
      for (const address of addresses) this.connections.delete(address);
      this.#clients.delete(uuid);
    }
  }
}

const NO_VERSION: { version?: VersionRange } = {};
