import { redisTime } from '../../../../shared/base/time.ts';
import { windowBody, windowQuery } from '../../../../shared/wire/window.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { notAfter, presentOf } from './past-instant.ts';

export const windowRoute = route({
  method: 'GET',
  path: '/window',
  operation: 'getWindow',
  tag: 'events',
  summary: 'Returns the state of the locks at an instant, and every event after it.',
  refusals: { 400: ['in-the-future'] },
  query: windowQuery,
  answer: windowBody,
}).handledBy(({ observatory }: ApiContext, { query: { from, to, ...query } }) => {
  notAfter(presentOf(observatory, query.source), 'from', from);
  const asked = { ...query, from: redisTime(from), to: to === undefined ? undefined : redisTime(to) };
  return { inTurn: async (signal) => ({ v: 1, ...(await observatory.window(asked, signal)) }) };
});
