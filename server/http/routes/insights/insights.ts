import { insightsBody, insightsQuery } from '../../../../shared/wire/insights/insight.ts';
import { insightsBodyFrom } from '../../../../shared/wire/insights/insights-from-report.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { instantInMemory, unseenPart } from '../locks/past-instant.ts';

/** The insights now or as of an instant, and what could not be determined. */
export const insightsRoute = route({
  method: 'GET',
  path: '/insights',
  operation: 'listInsights',
  tag: 'findings',
  summary: 'Lists what is wrong, the worst first, and what could not be determined.',
  refusals: { 400: ['in-the-future'], 410: ['forgotten'] },
  query: insightsQuery,
  answer: insightsBody,
}).handledBy(({ observatory, dumps }: ApiContext, { query }) => {
  const at = query.at === undefined ? undefined : instantInMemory(query.at, observatory, query.source);
  const asked = { ...query, at, dumps: dumps?.ofClients() };
  return {
    inTurn: async (signal) => ({
      ...insightsBodyFrom(await observatory.insights(asked, signal)),
      ...(await unseenPart(observatory, at, signal)),
    }),
  };
});
