import { lockHoursBody, lockHoursQuery } from '../../../../shared/wire/lock-hours.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { notAfter, presentOf } from './past-instant.ts';

const USUAL_MICROS = 30 * 86_400_000_000;

/** What the store has added up for a lock, hour by hour. */
export const lockHoursRoute = route({
  method: 'GET',
  path: '/hours',
  operation: 'getLockHours',
  tag: 'findings',
  summary: 'Shows how often a lock was held and waited for in each hour of a month, from the store.',
  refusals: { 400: ['in-the-future'] },
  query: lockHoursQuery,
  answer: lockHoursBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const now = presentOf(observatory, query.source);
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? Math.max(0, to - USUAL_MICROS);
  notAfter(now, 'from', from);
  const asked = { ...query, from: Math.min(from, to), to };
  return {
    inTurn: async () => {
      const hours = await observatory.lockHours?.(asked);
      if (!hours) return { v: 1, from: asked.from, to, since: null, watched: [], locks: [] };
      return { v: 1, ...hours, to: Math.min(hours.to, now) };
    },
  };
});
