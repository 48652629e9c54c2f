import { Router } from 'express';
import type { z } from 'zod';
import { type eventsBody, eventsQuery } from '../../../shared/wire/http.ts';
import { holderMatcher, partMatcher } from '../../../shared/wire/name-parts.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';

/**
 * `GET /api/events`: events in order, oldest first.
 *
 * `after = nextSeq - 1` always reads the next page. If `limit` cut the answer short, `nextSeq` follows the last event
 * returned. Otherwise it is the seq of the next event to come.
 */
export function eventsRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/events', async (req, res) => {
    const query = checked(eventsQuery, req.query, 'query');
    const { history } = observatory;
    const { lockPart = '', holderPart = '' } = query;
    const parts = {
      ...(lockPart === '' ? {} : { isLock: partMatcher(lockPart) }),
      ...(holderPart === '' ? {} : { isHolder: holderMatcher(holderPart, namesIn(observatory)) }),
    };
    const search = async (signal: AbortSignal) => ({
      nextSeq: history.nextSeq(),
      ...(await history.search({ ...query, ...parts }, signal)),
    });
    await turns.answerJson(res, search, ({ events, isCut, nextSeq }): z.infer<typeof eventsBody> => {
      const last = events.at(-1);
      return {
        v: 1,
        events,
        isCut,
        nextSeq: isCut && query.after !== undefined && last ? last.seq + 1 : nextSeq,
        oldestSeq: history.oldestSeq(),
      };
    });
  });
}

/** Returns a lookup of the current client names. */
function namesIn(observatory: Observatory): (client: string) => string | undefined {
  const names = new Map(Object.entries(observatory.clientNames()));
  return (client) => names.get(client);
}
