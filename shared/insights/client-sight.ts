import { clientOf } from '../events/names/names.ts';
import type { ClientState } from '../state/client-states.ts';
import type { HolderState } from '../state/lock-state.ts';
import type { ClientSight } from './detector.ts';

/** What detectors may know about a client, from its newest event. Without one, nothing is known. */
export function sightOf(state: ClientState | undefined): ClientSight {
  if (!state) return { presence: 'unknown', goneSince: null };
  const { presence, since, connections, lateAt } = state;
  const unheard = connections === undefined ? undefined : { unheard: { connections, since } };
  const late = lateAt === undefined ? undefined : { lateAt };
  return { presence, goneSince: presence === 'gone' ? since : null, ...unheard, ...late };
}

/**
 * The id by which the client of a hold is asked for. A permit is asked for by its own id, if a client with that id is
 * known. Otherwise it is asked for by the name of its client, which several clients may share.
 */
export function clientOfHold<S extends Pick<ClientSight, 'presence'>>(
  { client, id }: Pick<HolderState, 'client' | 'id'>,
  ask: (client: string) => S,
): string {
  if (client === undefined) return clientOf(id);
  return client !== id && ask(id).presence !== 'unknown' ? id : client;
}
