import { eventsBody, eventsQuery } from '../../../shared/wire/http.ts';
import { holderMatcher, partMatcher } from '../../../shared/wire/name-parts.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { ApiContext } from '../app-context.ts';
import { route } from '../route.ts';

/**
 * Events in order, oldest first.
 *
 * `after = nextSeq - 1` always reads the next page. If `limit` cut the answer short, `nextSeq` follows the last event
 * returned. Otherwise it is the seq of the next event to come.
 */
export const eventsRoute = route({
  method: 'GET',
  path: '/events',
  query: eventsQuery,
  answer: eventsBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const { history } = observatory;
  const { lockPart = '', holderPart = '' } = query;
  const parts = {
    ...(lockPart === '' ? {} : { isLock: partMatcher(lockPart) }),
    ...(holderPart === '' ? {} : { isHolder: holderMatcher(holderPart, namesIn(observatory)) }),
  };
  return {
    inTurn: async (signal) => {
      const nextSeq = history.nextSeq();
      const { events, isCut } = await history.search({ ...query, ...parts }, signal);
      const last = events.at(-1);
      return {
        v: 1,
        events,
        isCut,
        nextSeq: isCut && query.after !== undefined && last ? last.seq + 1 : nextSeq,
        oldestSeq: history.oldestSeq(),
      };
    },
  };
});

/** Returns a lookup of the current client names. */
function namesIn(observatory: Observatory): (client: string) => string | undefined {
  const names = new Map(Object.entries(observatory.clientNames()));
  return (client) => names.get(client);
}
