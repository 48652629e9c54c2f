import { clientsFromList } from '../redis/client-list.ts';
import type { OrderedFeed } from '../redis/ordered-feed.ts';
import type { Pipeline } from './pipeline.ts';
import { presenceFromClients } from './presence.ts';
import type { Presence } from './worker-messages.ts';

/** Who is connected, and how much Redis holds back for us because we do not read it. */
export type ClientRoll = { readonly presence: Presence[]; readonly bufferedBytes: number };

/** Asks Redis who is connected and lets the walk know; undefined where it may not be asked. */
export async function callRoll(feed: OrderedFeed, pipeline: Pipeline): Promise<ClientRoll | undefined> {
  if (!feed.capabilities.canListClients) return undefined;
  const at = feed.now();
  const [reply] = await feed.ask(['CLIENT', 'LIST']);
  if (typeof reply !== 'string') return undefined;
  const clients = clientsFromList(reply);
  pipeline.add({ kind: 'clients', at, clients });
  const ours = clients.filter(({ name }) => name === 'lockscope').map(({ outputBytes }) => outputBytes);
  return { presence: presenceFromClients(pipeline.interpreter, clients, at), bufferedBytes: Math.max(0, ...ours) };
}
