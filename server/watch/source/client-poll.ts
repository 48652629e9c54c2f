import type { ClientsSignal } from '../../../shared/signals/signal.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';
import { isBusy } from '../../redis/connection/reply.ts';
import { pause, steadyMs } from '../../redis/connection/surroundings.ts';
import { clientsFromList, MOST_LISTED_CLIENTS } from '../../redis/reads/client-list.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { ownOutput } from '../guard/own-buffer.ts';
import type { Pipeline } from './pipeline.ts';

/** `bufferedBytes`: our output that waits in Redis unread. `isTooLong`: too many clients to ask for the list. */
type ClientPoll = { readonly bufferedBytes: number; readonly isTooLong: boolean };

/** How often the stream is looked at until it has caught up. */
const CATCH_UP_EVERY_MS = 20;
/** The longest wait until the stream has caught up. After that, the list is added all the same. */
const CATCH_UP_MS = 2000;

/**
 * Asks Redis for its clients and adds the list to the pipeline. Returns `undefined`
 *
 * - if this user may not ask, or Redis returns no list
 * - while a script keeps Redis busy
 * - if the list comes from a proxy
 * - below level `monitor`, if no client's address is known: only MONITOR shows addresses.
 */
export async function pollClients(feed: OrderedFeed, pipeline: Pipeline): Promise<ClientPoll | undefined> {
  const { interpreter } = pipeline;
  const add = async (signal: ClientsSignal) => {
    // The list must not be dated later than a line that has not arrived yet.
    if (await hasCaughtUp(feed)) pipeline.add(signal);
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
  if (isBusy(info)) return undefined; // a script runs: the next turn asks again
  const connected = Number(fieldsFromInfo(info).get('connected_clients') ?? Number.POSITIVE_INFINITY);
  if (connected > MOST_LISTED_CLIENTS) {
    await unavailable();
    return { bufferedBytes: 0, isTooLong: true };
  }
  const at = feed.now();
  const [reply] = await feed.ask(['CLIENT', 'LIST']);
  if (typeof reply !== 'string') return undefined;
  const rows = clientsFromList(reply);
  // A list without our own connection comes from a proxy, not from this server.
  const isOwn = ({ id }: { id: number }) => feed.clientIds.includes(id);
  if (!rows.some(isOwn)) return undefined;
  await add({ kind: 'clients', at, clients: rows.filter((row) => !isOwn(row)) });
  return { bufferedBytes: ownOutput(feed.clientIds, rows), isTooLong: false };
}

/** Waits until what Redis did before now has arrived, 2 s at most. False: the connection has ended. */
export async function hasCaughtUp(feed: OrderedFeed): Promise<boolean> {
  const now = steadyMs();
  const isLate = () => feed.heardAt < now && steadyMs() < now + CATCH_UP_MS;
  while (!feed.isClosed && isLate()) await pause(CATCH_UP_EVERY_MS);
  return !feed.isClosed;
}
