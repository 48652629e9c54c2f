import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { ClientRow, ClientsSignal } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import { type Client, hostOf, mayBeConnected, type PresenceState } from '../../mirror/clients/client.ts';
import type { Clients } from '../../mirror/clients/clients.ts';
import { UnheardClients } from './unheard-clients.ts';

/** A live Redisson client pings every 30 s on every connection, so a longer silence on all of them is unusual. */
const IDLE_SECONDS = 35;
/** How many connections that may belong to one missing client are remembered. */
const MOST_DOUBTS = 100;
/** An event names at most this many connections. */
const MOST_ADDRESSES = 20;

type Judgement = { readonly presence: PresenceState; readonly since: RedisTime; readonly addresses: readonly string[] };

/**
 * Reports from CLIENT LIST whether each client is connected, when that or the client's name changes.
 *
 *   connected   one of its connections is in the list and was used in the last 35 s,
 *               or it sent a command just before the list was made, or through a proxy in the last 35 s
 *   idle        all its connections in the list have been silent for over 35 s: paused, or cut off
 *   gone        all its known connections have ended, and no other connection can be its own
 *   unknown     all its known connections have ended, but another may be its own,
 *               or there is no list, or the client was never heard
 *
 * MONITOR does not show the end of a connection, so `gone` is always inferred.
 */
export class Presence {
  readonly #to: Context;
  readonly #clients: Clients;
  readonly unheard: UnheardClients;
  /** By missing client: the connections that may be its own. */
  readonly #doubts = new Map<Client, Set<string>>();
  /** The addresses of the newest list, and its time. */
  #listed: ReadonlySet<string> = new Set();
  #listedAt = redisTime(0);
  /** See `before`. */
  #before: { readonly at: RedisTime; readonly fresh: ReadonlySet<string> } = { at: redisTime(0), fresh: new Set() };
  /**
   * True once a list has shown a connection of a known client or token. Until then, the addresses in lists may differ
   * from those of MONITOR.
   */
  #isProven = false;

  constructor(to: Context) {
    this.#to = to;
    this.#clients = to.clients;
    this.unheard = new UnheardClients(to);
    this.#clients.onBack = (client, address, at) =>
      this.#report(client, { presence: 'connected', since: at, addresses: [address] }, at);
  }

  /** The time of the list before the newest one, and the addresses that are only in the newest. */
  get before(): { readonly at: RedisTime; readonly fresh: ReadonlySet<string> } {
    return this.#before;
  }

  /** Whether a connection may turn out to belong to a missing client. */
  get hasDoubts(): boolean {
    return this.#doubts.size > 0;
  }

  /** Whether this connection may belong to a missing client. */
  isDoubtful(address: string): boolean {
    for (const addresses of this.#doubts.values()) if (addresses.has(address)) return true;
    return false;
  }

  /** Forgets all connections, because another server is watched from here on. */
  displace(at: RedisTime): void {
    this.unheard.forget(at);
    this.#doubts.clear();
    this.#listed = new Set();
    this.#isProven = false;
  }

  /** Takes the next list. `lost`: clients with connections that ended since the list before. */
  take(list: ClientsSignal, lost: ReadonlySet<Client>): void {
    const { clients: rows, at, before } = list;
    const byAddress = new Map(rows.map((row) => [row.address, row]));
    const fresh = before?.fresh ?? rows.map(({ address }) => address).filter((address) => !this.#listed.has(address));
    this.#before = { at: before?.at ?? this.#listedAt, fresh: new Set(fresh) };
    this.#isProven ||= rows.some(({ address }) => this.#clients.connections.isOwned(address));
    for (const client of lost) if (client.addresses.size === 0) this.#doubt(client, rows);
    this.#resolve(byAddress);
    for (const client of this.#clients.known()) {
      const isOld = !client.isToken && this.#clients.heardAt(client) <= this.#before.at;
      if (client.reported === undefined && isOld) continue;
      const judgement = this.#judge(client, byAddress, at);
      const hasChanged = judgement?.presence !== client.reported?.presence || client.name !== client.reported?.name;
      if (judgement && hasChanged) this.#report(client, judgement, at);
    }
    this.unheard.take(list, this.#isProven);
    this.#listed = new Set(byAddress.keys());
    this.#listedAt = at;
  }

  /** No list is available from here on: reports the connected and idle clients as unknown. */
  blindSpotBegan(at: RedisTime): void {
    this.unheard.forget(at);
    for (const client of this.#clients.known()) {
      const { reported } = client;
      if (reported === undefined || reported.presence === 'unknown' || reported.presence === 'gone') continue;
      this.#report(
        client,
        { presence: 'unknown', since: this.#lastSeen(client), addresses: [...client.addresses] },
        at,
      );
    }
  }

  #judge(client: Client, rows: ReadonlyMap<string, ClientRow>, at: RedisTime): Judgement | undefined {
    const addresses = [...client.addresses];
    const present = addresses.map((address) => rows.get(address)).filter((row) => row !== undefined);
    if (present.length > 0) return presentOf(client, present, at);
    if (addresses.length > 0) {
      client.isMissed = true;
      if (client.reported === undefined) return undefined; // no list has shown this client yet
      return { presence: 'connected', since: this.#clients.heardAt(client), addresses };
    }
    if (client.isBehindProxy && secondsBefore(at, IDLE_SECONDS) < client.last.heardAt)
      return { presence: 'connected', since: client.last.heardAt, addresses: client.last.addresses };
    const since = client.reported?.presence === 'unknown' ? client.reported.since : this.#lastSeen(client);
    const presence = mayBeConnected(client) ? 'unknown' : 'gone';
    if (presence === 'gone' ? !this.#isProven : client.reported === undefined) return undefined;
    return { presence, since, addresses: client.last.addresses };
  }

  /** The last time at which one of the client's connections was seen: in the previous list, or by a command. */
  #lastSeen(client: Client): RedisTime {
    const heardAt = this.#clients.heardAt(client);
    return client.reported === undefined || client.isMissed ? heardAt : redisTime(Math.max(heardAt, this.#before.at));
  }

  /**
   * Notes the connections that a client may still have after all its known connections ended. Connections of known
   * clients, and those with another name or library than the client's, are left out.
   *
   *   with commands      new connections from its host: it may have reconnected. On older ones its scripts would have
   *                      been seen
   *   a token            also older connections, unless its library has no pool: most connections of a pool send
   *                      nothing about the lock
   *   without commands   all connections from its host
   */
  #doubt(client: Client, rows: readonly ClientRow[]): void {
    const hosts = new Set(client.last.addresses.map(hostOf));
    const mayHavePool = client.isToken === true && client.hasNoPool !== true;
    const doubts = new Set<string>();
    for (const { address, name, library } of rows) {
      if (doubts.size >= MOST_DOUBTS || !hosts.has(hostOf(address))) continue;
      if (this.#to.hasCommands && !mayHavePool && !this.#before.fresh.has(address)) continue;
      if (client.reported !== undefined && (name !== (client.name ?? '') || library !== client.library)) continue;
      if (client.isToken && client.name !== null && name !== client.name) continue;
      if (this.#clients.uuidAt(address) === undefined) doubts.add(address);
    }
    if (doubts.size === 0) return;
    client.isUnplaced = true;
    this.#doubts.set(client, doubts);
  }

  /**
   * Drops doubtful connections that ended, or whose client is now known. A client for which none is left has no other
   * connection: it is gone.
   */
  #resolve(rows: ReadonlyMap<string, ClientRow>): void {
    for (const [client, doubts] of this.#doubts) {
      for (const address of doubts) {
        if (!rows.has(address) || this.#clients.uuidAt(address) !== undefined) doubts.delete(address);
      }
      if (doubts.size > 0 && client.addresses.size === 0) continue;
      this.#doubts.delete(client);
      if (client.addresses.size === 0) client.isUnplaced = false;
    }
  }

  #report(client: Client, { presence, since, addresses }: Judgement, at: RedisTime): void {
    const { uuid, name, version } = client;
    const certainty = presence === 'gone' || presence === 'unknown' ? 'inferred' : 'observed';
    const about = { db: 0, lock: '', kind: 'lock', at, certainty } as const;
    const seq = this.#to.emit(about, {
      type: `client.${presence}`,
      client: uuid,
      addresses: addresses.slice(0, MOST_ADDRESSES),
      name,
      library: client.library === '' && !client.isToken ? (client.ofLibrary ?? 'redisson') : client.library,
      ...(version ? { clientVersion: version.text } : undefined),
      since,
    });
    client.reported = { presence, since, name, seq };
  }
}

function presentOf(client: Client, rows: readonly ClientRow[], at: RedisTime): Judgement {
  const idle = Math.min(...rows.map(({ idleSeconds }) => idleSeconds));
  const age = Math.max(...rows.map(({ ageSeconds }) => ageSeconds));
  client.isMissed = false;
  client.library = rows.find(({ library }) => library !== '')?.library ?? '';
  const addresses = rows.map(({ address }) => address);
  if (idle > IDLE_SECONDS) return { presence: 'idle', since: secondsBefore(at, idle), addresses };
  return { presence: 'connected', since: secondsBefore(at, age), addresses };
}

function secondsBefore(at: RedisTime, seconds: number): RedisTime {
  return redisTime(at - seconds * 1_000_000);
}
