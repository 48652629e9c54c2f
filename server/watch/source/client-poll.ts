import type { ClientsSignal } from '../../../shared/signals/signal.ts';
import { fieldsFromInfo } from '../../redis/info-fields.ts';
import { clientsFromList } from '../../redis/reads/client-list.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { ownOutput } from '../guard/own-buffer.ts';
import type { Pipeline } from './pipeline.ts';

/** How much of our output waits in Redis because we have not read it. */
export type ClientPoll = { readonly bufferedBytes: number; readonly isTooLong: boolean };

/** CLIENT LIST takes Redis 2 to 4 µs for each client, in one go: above this it is not asked for. */
const MOST_CLIENTS = 2000;

/**
 * Asks Redis who is connected and lets the walk know. Undefined where it may not be asked, or where no address of a client
 * is known that could be looked up: only MONITOR shows addresses.
 */
export async function pollClients(feed: OrderedFeed, pipeline: Pipeline): Promise<ClientPoll | undefined> {
  const { interpreter } = pipeline;
  const add = async (signal: ClientsSignal) => {
    // Its time must not be later than that of a line which has not arrived yet.
    if (await feed.caughtUp()) pipeline.add(signal);
  };
  const unavailable = () => add({ kind: 'clients', at: feed.now(), clients: [], isUnavailable: true });
  if (!feed.capabilities.canListClients) {
    await unavailable();
    return undefined;
  }
  const { clients, presence } = interpreter;
  const isAnyKnown = presence.hasDoubts || clients.all().some(({ addresses }) => addresses.length > 0);
  if (!interpreter.hasCommands && !isAnyKnown) return undefined;
  const [info] = await feed.ask(['INFO', 'clients']);
  const connected = Number(fieldsFromInfo(info).get('connected_clients') ?? Number.POSITIVE_INFINITY);
  if (connected > MOST_CLIENTS) {
    await unavailable();
    return { bufferedBytes: 0, isTooLong: true };
  }
  const at = feed.now();
  const [reply] = await feed.ask(['CLIENT', 'LIST']);
  if (typeof reply !== 'string') return undefined;
  const rows = clientsFromList(reply);
  // A list that lacks our own connection is not that of this server: a proxy answers.
  const isOwn = ({ id }: { id: number }) => feed.clientIds.includes(id);
  if (!rows.some(isOwn)) return undefined;
  await add({ kind: 'clients', at, clients: rows.filter((row) => !isOwn(row)) });
  return { bufferedBytes: ownOutput(feed.clientIds, rows), isTooLong: false };
}
