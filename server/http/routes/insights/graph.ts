import { graphBody, graphBodyFrom, graphQuery } from '../../../../shared/wire/graph.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { instantInMemory, unseenPart } from '../locks/past-instant.ts';

/** Which thread waits for which, now or as of an instant. */
export const graphRoute = route({
  method: 'GET',
  path: '/graph',
  operation: 'getGraph',
  tag: 'findings',
  summary: 'Shows which thread waits for which lock and which thread holds it, with circles of waits.',
  refusals: { 400: ['in-the-future'], 410: ['forgotten'] },
  query: graphQuery,
  answer: graphBody,
}).handledBy(({ observatory, dumps }: ApiContext, { query }) => {
  const at = query.at === undefined ? undefined : instantInMemory(query.at, observatory);
  return {
    inTurn: async (signal) => ({
      ...graphBodyFrom(await observatory.graph({ at, dumps: dumps?.ofClients() }, signal)),
      ...(await unseenPart(observatory, at, signal)),
    }),
  };
});
