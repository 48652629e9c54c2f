import type { RedisTime } from '../../../base/time.ts';
import type { ClientRow } from '../../../signals/signal.ts';
import { type Client, type Handover, leave } from './client.ts';
import type { Connection } from './connections.ts';

/** Redis counts the age of a connection in whole seconds, and its clock for that may be late. */
const AGE_ROUNDING = 2_000_000;

/** Whether the connection of a row surely began after the former client's last script on it. */
export function isReused({ lastAt }: Handover, { ageSeconds }: ClientRow, listedAt: RedisTime): boolean {
  return listedAt - ageSeconds * 1_000_000 - AGE_ROUNDING > lastAt;
}

/** Begins to doubt whether the port was reused. The former client may still be connected. */
export function handOver(connection: Connection, address: string, handover: Handover): void {
  if (connection.handover) doubtForEver(connection, address);
  connection.handover = handover;
  handover.former.inTurn.add(address);
}

/** The port was reused: the former client has nothing to do with the connection. */
export function endHandover(connection: Connection, address: string): void {
  connection.handover?.former.inTurn.delete(address);
  delete connection.handover;
}

/** It was never shown whether the port was reused, so neither client is known to have ended with the connection. */
export function doubtForEver(connection: Connection, address: string): void {
  const { handover, client } = connection;
  if (!handover) return;
  handover.former.isBehindProxy = true;
  if (client) client.isBehindProxy = true;
  endHandover(connection, address);
}

/** From here on, the connection is a proxy's: it belongs to no client. */
export function share(connection: Connection, address: string): void {
  const { handover, client, heardAt } = connection;
  connection.isShared = true;
  if (handover) hearBehindProxy(handover.former, address, handover.lastAt);
  if (client) {
    leave(client, address);
    if (heardAt !== undefined) hearBehindProxy(client, address, heardAt);
  }
  endHandover(connection, address);
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
