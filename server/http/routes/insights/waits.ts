import { type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import { waitsBody, waitsBodyFrom, waitsQuery } from '../../../../shared/wire/waits.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { instantInMemory, notAfter, presentOf } from '../locks/past-instant.ts';

const USUAL_MICROS = 300_000_000;

export const waitsRoute = route({
  method: 'GET',
  path: '/waits',
  operation: 'getWaits',
  tag: 'findings',
  summary: 'Ranks what the waits of a range were spent on.',
  refusals: { 400: ['in-the-future'], 410: ['forgotten'] },
  query: waitsQuery,
  answer: waitsBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const now = presentOf(observatory);
  const to = query.to === undefined ? now : endOf(query.to, observatory, now);
  const from = query.from ?? Math.max(0, to - USUAL_MICROS);
  notAfter(now, 'from', from);
  const asked = { from: redisTime(Math.min(from, to)), to };
  return { inTurn: async (signal) => waitsBodyFrom(await observatory.waitCosts(asked, signal), query.limit) };
});

/** The end of the range, at most now. Throws a 410 if the whole range has been dropped. */
function endOf(to: number, observatory: Observatory, now: RedisTime): RedisTime {
  return instantInMemory(Math.min(to, now), observatory, undefined, 'to');
}
