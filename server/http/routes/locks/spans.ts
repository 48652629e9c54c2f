import { spansBody, spansQuery } from '../../../../shared/wire/http.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';

/** Holds and waits that overlap a time range. */
export const spansRoute = route({
  method: 'GET',
  path: '/spans',
  operation: 'listSpans',
  tag: 'events',
  summary: 'Lists holds and waits as ranges of time.',
  query: spansQuery,
  answer: spansBody,
}).handledBy(({ observatory }: ApiContext, { query }) => ({
  inTurn: async (signal) => {
    const { spans, truncated } = await observatory.spans(query, signal);
    return { v: 1, spans, truncated };
  },
}));
