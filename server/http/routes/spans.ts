import { Router } from 'express';
import type { z } from 'zod';
import { type spansBody, spansQuery } from '../../../shared/wire/http.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';

/** `GET /api/spans`: holds and waits that overlap a time range. */
export function spansRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/spans', async (req, res) => {
    const query = checked(spansQuery, req.query, 'query');
    await turns.answerJson(
      res,
      (signal) => observatory.spans(query, signal),
      ({ spans, truncated }): z.infer<typeof spansBody> => ({ v: 1, spans, truncated }),
    );
  });
}
