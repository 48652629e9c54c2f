import type { Demo } from '../../../shared/wire/demo.ts';
import type { CastMember } from './run.ts';

/**
 * The cast with every client and process in a response of the demo; the same array if nothing is new. A client that is
 * started again keeps its letter.
 */
export function castWith(cast: readonly CastMember[], demo: Pick<Demo, 'clients' | 'faults'>): readonly CastMember[] {
  const named = [
    ...(demo.faults ?? []).map(({ client, uuid }) => ({ id: client, uuid })),
    ...demo.clients.flatMap(({ id, uuid, uuids = [] }) => [uuid, ...uuids].map((each) => ({ id, uuid: each }))),
  ].filter(({ uuid }) => uuid !== '');
  const isKnown = ({ id, uuid }: { id: string; uuid: string }) =>
    cast.some((member) => member.id === id && member.uuids.includes(uuid));
  if (named.every(isKnown) && demo.clients.every(({ id }) => cast.some((member) => member.id === id))) return cast;
  return demo.clients.map(({ id, name }) => {
    const known = cast.find((member) => member.id === id)?.uuids ?? [];
    const uuids = named.filter((process) => process.id === id).map(({ uuid }) => uuid);
    return { id, name, uuids: [...new Set([...known, ...uuids])] };
  });
}
