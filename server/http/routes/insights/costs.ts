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

type Span = { readonly from: number; readonly to: number };

/** What locks, clients or holds cost others in a range, also in comparison with another one. */
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
  const known = (asked: Span, field: string): Span => {
    notAfter(now, field, asked.from);
    const to = instantInMemory(Math.min(asked.to, now), observatory, undefined, field);
    return { from: Math.min(asked.from, to), to };
  };
  const to = query.to ?? now;
  notAfter(now, 'from', query.from ?? 0);
  const one = known({ from: query.from ?? Math.max(0, to - USUAL_MICROS), to }, 'to');
  const against = query.against && known(query.against, 'against');
  const { by, limit } = query;
  const exact = async (span: Span, signal: AbortSignal): Promise<RangeCosts> => {
    const asked = { from: redisTime(span.from), to: redisTime(span.to) };
    const costs = await observatory.waitCosts(asked, signal);
    return { ...costs, isAtLeast: costs.isCut || costs.from > span.from || costs.unseen.length > 0 };
  };
  return {
    inTurn: async (signal): Promise<CostsBody> => {
      const hours = await observatory.hourCosts?.({ ...one, by, limit, against });
      if (hours) return { v: 1, readFrom: 'hours', ...hours, to: Math.min(hours.to, now) };
      return costsBodyFrom(by, await exact(one, signal), against && (await exact(against, signal)), limit);
    },
  };
});
