import { clientsFromList, type ListedClient } from '../../redis/reads/client-list.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';

/** As `ownOutput`, asked from Redis; undefined if CLIENT LIST is not permitted, or before Redis 6.2. */
export async function bufferedBytes(feed: OrderedFeed): Promise<number | undefined> {
  if (!feed.capabilities.canListClients) return undefined;
  const [reply] = await feed.ask(['CLIENT', 'LIST', 'ID', ...feed.clientIds.map(String)]);
  return typeof reply === 'string' ? ownOutput(feed.clientIds, clientsFromList(reply)) : undefined;
}

/** Bytes that wait in Redis in the largest output buffer of our own connections, known by their ids. */
export function ownOutput(clientIds: readonly number[], clients: readonly ListedClient[]): number {
  const ours = clients.filter(({ id }) => clientIds.includes(id));
  return Math.max(0, ...ours.map(({ outputBytes }) => outputBytes));
}
