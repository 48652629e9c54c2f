import type { ClientState } from '../state/client-states.ts';
import type { ClientSight } from './detector.ts';

/** What detectors may know about a client, from its newest event. Without one, nothing is known. */
export function sightOf(state: ClientState | undefined): ClientSight {
  if (!state) return { presence: 'unknown', goneSince: null };
  const { presence, since, connections } = state;
  const unheard = connections === undefined ? undefined : { unheard: { connections, since } };
  return { presence, goneSince: presence === 'gone' ? since : null, ...unheard };
}
