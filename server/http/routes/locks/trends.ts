import { redisTime } from '../../../../shared/base/time.ts';
import { trendsBody, trendsQuery } from '../../../../shared/wire/trends.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { notAfter, presentOf, unseenPart } from './past-instant.ts';

const USUAL_MICROS = 300_000_000;

/** Figures over time, counted since this process started, or as far as a store reaches. */
export const trendsRoute = route({
  method: 'GET',
  path: '/trends',
  operation: 'getTrends',
  tag: 'findings',
  summary: 'Counts waiters, hand-overs, refusals, renewals and events over time.',
  refusals: { 400: ['in-the-future'] },
  query: trendsQuery,
  answer: trendsBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const now = presentOf(observatory);
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? Math.max(0, to - USUAL_MICROS);
  notAfter(now, 'from', from);
  const asked = { from: redisTime(Math.min(from, to)), to: redisTime(to), bins: query.bins };
  return {
    inTurn: async (signal) => {
      const { micros, bins, since } = await observatory.trends(asked, signal);
      const unseen = await unseenPart(observatory, asked.to, signal);
      return { v: 1, from: asked.from, to: asked.to, binMs: micros / 1000, oldestAt: since, bins, ...unseen };
    },
  };
});
