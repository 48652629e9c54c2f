import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { VersionRange } from '../../libraries/script-versions.ts';

/** A client of locks, as known from its connections and scripts; or a token of one hold (`isToken`). */
export type Client = {
  /** The client's uuid; otherwise its token, or the id of its permit. */
  readonly uuid: string;
  /** Addresses of the connections that the client may still have. */
  readonly addresses: Set<string>;
  /** The newest name of one of its connections; null: not known. */
  name: string | null;
  /** The Redisson versions that the client may have; undefined: not known. */
  version: VersionRange | undefined;
  /** The library name from CLIENT LIST; empty until a list shows it. */
  library: string;
  /**
   * The library whose locks the client uses, as its scripts show; `unknown`: an application's own. Absent: Redisson.
   */
  ofLibrary?: string;
  /** This is the token of one hold, or the id of a permit, not a client with locks. */
  isToken?: true;
  /**
   * This is a token whose library acquires and releases its locks on one connection, so an older connection cannot be
   * its own.
   */
  hasNoPool?: true;
  /**
   * The client has no known connection, but it may have others: it may or may not be alive. Either all known ones have
   * ended, or none was known yet.
   */
  isUnplaced: boolean;
  /**
   * Connections of this client on which another client has sent scripts since. No list has shown yet whether their
   * ports were reused.
   */
  readonly inTurn: Set<string>;
  /**
   * The client and another one sent commands on one connection in turn, as through a proxy, or may have done so. Then
   * any connection may carry the client's commands.
   */
  isBehindProxy?: true;
  /** The connections that the client had before the newest of them ended, and when one of them was last used. */
  last: { readonly addresses: readonly string[]; readonly heardAt: RedisTime };
  /** The client has known connections, but none is in the newest list, which was made just before one was used. */
  isMissed: boolean;
  /** The presence as last reported by an event; undefined before the first one. */
  reported: ReportedPresence | undefined;
};

/**
 * Another client's script on a connection. Either the port was reused, or a proxy sends commands of both clients over
 * one connection. The age in a CLIENT LIST decides:
 *
 *   former client's last script ── connection began ── new client's script     reused
 *   connection began ── former client's last script ── new client's script     a proxy
 */
export type FormerUse = {
  readonly former: Client;
  /** When the former client's last script arrived on the connection. */
  readonly lastAt: RedisTime;
  /** When the new client's first script arrived. */
  readonly at: RedisTime;
};

/** What `client.*` events report about a client. */
export const PRESENCES = ['connected', 'idle', 'gone', 'unknown'] as const;
export type PresenceState = (typeof PRESENCES)[number];
export type ReportedPresence = {
  readonly presence: PresenceState;
  readonly since: RedisTime;
  readonly name: string | null;
  readonly seq: number;
};

const NEVER: Client['last'] = { addresses: [], heardAt: redisTime(0) };

/** A client that has no connection yet. */
export function newClient(uuid: string, version: VersionRange | undefined): Client {
  const unseen = { name: null, library: '', isUnplaced: true, last: NEVER, isMissed: false, reported: undefined };
  return { uuid, version, addresses: new Set(), inTurn: new Set(), ...unseen };
}

/** Removes a connection from a client, since another client's scripts arrived on it. */
export function leave(client: Client, address: string): void {
  client.addresses.delete(address);
  if (client.addresses.size === 0) client.isUnplaced = true;
}

/** Whether the client may be connected although it has no known connection: it is not gone. */
export function mayBeConnected({ isUnplaced, isBehindProxy, inTurn }: Client): boolean {
  return isUnplaced || isBehindProxy === true || inTurn.size > 0;
}

/** Whether an address is a unix socket's. All its connections share it, so it does not identify one. */
export function isShared(address: string): boolean {
  return address.startsWith('unix:');
}

/** The host of `host:port`. */
export function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
