import { clientOf } from '../events/names/names.ts';
import type { ClientState } from '../state/client-states.ts';
import type { HolderState } from '../state/lock-state.ts';
import type { ClientSight } from './detector.ts';

/** What detectors may know about a client. Without an event about the client, nothing is known. */
export function sightOf(state: ClientState | undefined): ClientSight {
  if (!state) return { presence: 'unknown', goneSince: null };
  const { presence, since, connections, lateAt } = state;
  const unheard = connections === undefined ? undefined : { unheard: { connections, since } };
  const late = lateAt === undefined ? undefined : { lateAt };
  return { presence, goneSince: presence === 'gone' ? since : null, ...unheard, ...late };
}

/**
 * The id by which `ask` finds the client of a hold. For a permit, that is the permit's own id if the presence of a
 * client with that id is known. Otherwise it is the name or address of the permit's connection; several clients may
 * share a name.
 */
export function clientOfHold<S extends Pick<ClientSight, 'presence'>>(
  { client, id }: Pick<HolderState, 'client' | 'id'>,
  ask: (client: string) => S,
): string {
  if (client === undefined) return clientOf(id);
  return client !== id && ask(id).presence !== 'unknown' ? id : client;
}
