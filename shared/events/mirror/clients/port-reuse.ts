import type { RedisTime } from '../../../base/time.ts';
import type { ClientRow } from '../../../signals/signal.ts';
import { type Client, type FormerUse, leave } from './client.ts';
import type { Connection } from './connections.ts';

/** Redis counts the age of a connection in whole seconds, and its clock for that may be late. */
const AGE_ROUNDING = 2_000_000;

/** Whether the connection of a row surely began after the former client's last script on it. */
export function isReused({ lastAt }: FormerUse, { ageSeconds }: ClientRow, listedAt: RedisTime): boolean {
  return listedAt - ageSeconds * 1_000_000 - AGE_ROUNDING > lastAt;
}

/** Begins to doubt whether the port was reused. The former client may still be connected. */
export function beginPortDoubt(connection: Connection, address: string, formerUse: FormerUse): void {
  if (connection.formerUse) keepPortDoubt(connection, address);
  connection.formerUse = formerUse;
  formerUse.former.inTurn.add(address);
}

/** The port was reused: the former client has nothing to do with the connection. */
export function endPortDoubt(connection: Connection, address: string): void {
  connection.formerUse?.former.inTurn.delete(address);
  delete connection.formerUse;
}

/** It was never shown whether the port was reused, so neither client is known to have ended with the connection. */
export function keepPortDoubt(connection: Connection, address: string): void {
  const { formerUse, client } = connection;
  if (!formerUse) return;
  formerUse.former.isBehindProxy = true;
  if (client) client.isBehindProxy = true;
  endPortDoubt(connection, address);
}

/** From here on, the connection is a proxy's: it belongs to no client. */
export function share(connection: Connection, address: string): void {
  const { formerUse, client, heardAt } = connection;
  connection.isShared = true;
  if (formerUse) hearBehindProxy(formerUse.former, address, formerUse.lastAt);
  if (client) {
    leave(client, address);
    if (heardAt !== undefined) hearBehindProxy(client, address, heardAt);
  }
  endPortDoubt(connection, address);
  connection.client = undefined;
}

/**
 * Notes that a command of the client came through this proxy: the client was alive at this time. The end of such a
 * connection shows nothing about the client.
 */
export function hearBehindProxy(client: Client, address: string, at: RedisTime): void {
  client.isBehindProxy = true;
  if (at >= client.last.heardAt) client.last = { addresses: [address], heardAt: at };
}
