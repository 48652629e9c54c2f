import { Router } from 'express';
import type { z } from 'zod';
import { type eventsBody, eventsQuery } from '../../../shared/wire/http.ts';
import type { AppContext } from '../app.ts';
import { checked } from '../problem.ts';

/**
 * `GET /api/events`: events in order, oldest first.
 *
 * `after = nextSeq - 1` is always the next page: where `limit` cut the answer short, `nextSeq` is behind the last
 * event given, else it is the seq the next event will have.
 */
export function eventsRoute({ observatory }: AppContext): Router {
  return Router().get('/events', (req, res) => {
    const query = checked(eventsQuery, req.query, 'query');
    const { events, isCut } = observatory.history.search(query);
    const last = events.at(-1);
    const body: z.infer<typeof eventsBody> = {
      v: 1,
      events,
      isCut,
      nextSeq: isCut && query.after !== undefined && last ? last.seq + 1 : observatory.history.nextSeq(),
      oldestSeq: observatory.history.oldestSeq(),
    };
    res.json(body);
  });
}
