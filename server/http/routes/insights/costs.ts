import { redisTime } from '../../../../shared/base/time.ts';
import {
  type CostsBody,
  costsBody,
  costsBodyFrom,
  costsQuery,
  type RangeCosts,
} from '../../../../shared/wire/costs.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { instantInMemory, notAfter, presentOf } from '../locks/past-instant.ts';

const USUAL_MICROS = 300_000_000;

type TimeRange = { readonly from: number; readonly to: number };

/** What locks, clients or holds cost others in a range, also in comparison with another range. */
export const costsRoute = route({
  method: 'GET',
  path: '/costs',
  operation: 'getCosts',
  tag: 'findings',
  summary: 'Ranks locks, clients or holds by the time that they cost others, or by how much that has changed.',
  refusals: { 400: ['in-the-future'], 410: ['forgotten'] },
  query: costsQuery,
  answer: costsBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const now = presentOf(observatory);
  const known = (asked: TimeRange, field: string): TimeRange => {
    notAfter(now, field, asked.from);
    const to = instantInMemory(Math.min(asked.to, now), observatory, undefined, field);
    return { from: Math.min(asked.from, to), to };
  };
  const to = query.to ?? now;
  notAfter(now, 'from', query.from ?? 0);
  const main = known({ from: query.from ?? Math.max(0, to - USUAL_MICROS), to }, 'to');
  const against = query.against && known(query.against, 'against');
  const { by, limit } = query;
  const exact = async ({ from, to }: TimeRange, signal: AbortSignal): Promise<RangeCosts> => {
    const costs = await observatory.waitCosts({ from: redisTime(from), to: redisTime(to) }, signal);
    return { ...costs, isAtLeast: costs.isCut || costs.from > from || costs.unseen.length > 0 };
  };
  return {
    inTurn: async (signal): Promise<CostsBody> => {
      const hours = await observatory.hourCosts?.({ ...main, by, limit, against });
      if (hours) return { v: 1, readFrom: 'hours', ...hours, to: Math.min(hours.to, now) };
      return costsBodyFrom(by, await exact(main, signal), against && (await exact(against, signal)), limit);
    },
  };
});
