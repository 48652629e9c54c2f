import { outlineBody, outlineQuery } from '../../../../shared/wire/outline.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { notAfter, presentOf } from './past-instant.ts';

export const outlineRoute = route({
  method: 'GET',
  path: '/outline',
  operation: 'getOutline',
  tag: 'events',
  summary: 'Returns in which columns of a range of time each lock was held, and waited for.',
  refusals: { 400: ['in-the-future'] },
  query: outlineQuery,
  answer: outlineBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const now = presentOf(observatory);
  notAfter(now, 'from', query.from);
  const to = Math.max(query.from, Math.min(query.to ?? now, now));
  return { inTurn: async (signal) => ({ v: 1, ...(await observatory.outline({ ...query, to }, signal)) }) };
});
