import { DETECTORS, DETECTORS_OF_DUMPS } from '../../../../shared/insights/detectors/all.ts';
import { insightsBody, insightsQuery } from '../../../../shared/wire/insights/insight.ts';
import { reportBodyFrom } from '../../../../shared/wire/insights/insights-from-report.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { checkRemembered, instantAsked, unseenPart } from '../locks/past-instant.ts';

/** The insights now or as of an instant, and what could not be determined. */
export const insightsRoute = route({
  method: 'GET',
  path: '/insights',
  operation: 'listInsights',
  tag: 'findings',
  summary: 'Lists what is wrong, the worst first, and what could not be determined.',
  refusals: { 400: ['in-the-future'], 404: ['unknown-source'], 410: ['forgotten'] },
  query: insightsQuery,
  answer: insightsBody,
}).handledBy(({ observatory, dumps }: ApiContext, { query }) => {
  const at = instantAsked(observatory, query);
  const asked = { ...query, at, dumps: dumps?.ofClients() };
  const kinds = DETECTORS.length + (asked.dumps && asked.dumps.size > 0 ? DETECTORS_OF_DUMPS.length : 0);
  return {
    inTurn: async (signal) => {
      await checkRemembered(observatory, query, signal);
      const report = reportBodyFrom(await observatory.insights(asked, signal));
      return { ...report, kinds, ...(await unseenPart(observatory, at, signal)) };
    },
  };
});
