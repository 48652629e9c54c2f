import { type RedisTime, redisTime } from '../../base/time.ts';
import type { VersionRange } from '../recognise/script-versions.ts';

/** A Redisson client, as far as its connections and scripts tell. */
export type Client = {
  readonly uuid: string;
  /** Addresses of the connections it may still have. */
  readonly addresses: Set<string>;
  name: string | null;
  /** The releases it can be. */
  version: VersionRange | undefined;
  /** Its library, by CLIENT LIST; empty while the list has named none. */
  library: string;
  /** None of its known connections is left, but it may have others: it may live or not. */
  isUnplaced: boolean;
  /** The connections it had before the newest of them ended, and when one of them was last used. */
  last: { readonly addresses: readonly string[]; readonly heardAt: RedisTime };
  /** It was heard just before the newest list was made, and is not in it. */
  isMissed: boolean;
  /** Its presence as last reported by an event; undefined before the first one. */
  told: ToldPresence | undefined;
};

/** What `client.*` events say of a client. */
export type PresenceState = 'connected' | 'idle' | 'gone' | 'unknown';
export type ToldPresence = {
  readonly presence: PresenceState;
  readonly since: RedisTime;
  readonly name: string | null;
  readonly seq: number;
};

const NEVER: Client['last'] = { addresses: [], heardAt: redisTime(0) };

/** A client that has no connection yet. */
export function newClient(uuid: string, version: VersionRange | undefined): Client {
  const unseen = { name: null, library: '', isUnplaced: true, last: NEVER, isMissed: false, told: undefined };
  return { uuid, version, addresses: new Set(), ...unseen };
}

/** Scripts of another client came over this connection. */
export function leave(client: Client, address: string): void {
  client.addresses.delete(address);
  if (client.addresses.size === 0) client.isUnplaced = true;
}

/** Over a unix socket every connection has the same address, so an address tells nothing. */
export function isShared(address: string): boolean {
  return address.startsWith('unix:');
}

/** The host of `host:port`. */
export function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
