import { clientOf } from '../events/names/names.ts';
import type { ClientState } from '../state/client-states.ts';
import type { HolderState } from '../state/lock-state.ts';
import type { ClientSight } from './detector.ts';

/** What detectors may know about a client, from its newest event. Without one, nothing is known. */
export function sightOf(state: ClientState | undefined): ClientSight {
  if (!state) return { presence: 'unknown', goneSince: null };
  const { presence, since, connections } = state;
  const unheard = connections === undefined ? undefined : { unheard: { connections, since } };
  return { presence, goneSince: presence === 'gone' ? since : null, ...unheard };
}

/** The client to ask for about a hold. Of a permit with an id, its own presence is known, or only a name that several clients may have. */
export function clientOfHold<S extends Pick<ClientSight, 'presence'>>(
  { client, id }: Pick<HolderState, 'client' | 'id'>,
  ask: (client: string) => S,
): string {
  if (client === undefined) return clientOf(id);
  return client !== id && ask(id).presence !== 'unknown' ? id : client;
}
