import { eventStreamHeaders, eventStreamQuery, eventsBody, eventsQuery } from '../../../shared/wire/http.ts';
import { holderMatcher, partMatcher } from '../../../shared/wire/locks/name-parts.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';

/**
 * Events in order, oldest first.
 *
 * `after = nextSeq - 1` reads the next page. If the request has `after`, and `limit` cuts the answer short, `nextSeq`
 * follows the last event returned. Otherwise it is the `seq` of the next event to come.
 */
export const eventsRoute = route({
  method: 'GET',
  path: '/events',
  operation: 'listEvents',
  tag: 'events',
  summary: 'Lists events in order, oldest first: after a `seq`, before one, or the newest.',
  query: eventsQuery,
  answer: eventsBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const { history } = observatory;
  const { holderPart = '' } = query;
  const parts = {
    ...byPart(query),
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

export const eventStreamRoute = route({
  method: 'GET',
  path: '/events/stream',
  operation: 'streamEvents',
  tag: 'events',
  summary:
    'Sends events as they happen, as server-sent events: `id` is the `seq`, `event` the type, `data` the event as JSON.',
  refusals: { 503: ['too-many-streams'] },
  query: eventStreamQuery,
  headers: eventStreamHeaders,
  answer: 'text/event-stream',
}).handledBy(({ observatory, streams, connections, channels }: ApiContext, { query, headers }) => ({
  stream: (res) => {
    connections?.noteStream(res);
    const stop = channels?.follow(res.req, () => streams.end(res));
    if (stop) res.once('close', stop);
    const after = headers['last-event-id'] ?? query.after;
    return streams.send(res, observatory, { ...query, ...byPart(query), after });
  },
}));

function byPart({ lockPart = '' }: { lockPart?: string | undefined }) {
  return lockPart === '' ? {} : { isLock: partMatcher(lockPart) };
}

/** Returns a lookup of the current client names. */
function namesIn(observatory: Observatory): (client: string) => string | undefined {
  const names = new Map(Object.entries(observatory.clientNames()));
  return (client) => names.get(client);
}
