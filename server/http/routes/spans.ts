import { Router } from 'express';
import { z } from 'zod';
import type { spansBody } from '../../../shared/wire/http.ts';
import type { AppContext } from '../app.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';

const spansQuery = z
  .object({
    from: z.coerce.number().int().min(0).optional(),
    to: z.coerce.number().int().min(0).optional(),
    lock: z.string().max(2_000_000).optional(),
    source: z.string().max(256).optional(),
    db: z.coerce.number().int().min(0).optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'it lies before "from"',
  });

/** `GET /api/spans`: holds and waits that touch a stretch of time. */
export function spansRoute({ observatory, connections }: AppContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/spans', async (req, res) => {
    const query = checked(spansQuery, req.query, 'query');
    await turns.answer(
      res,
      (signal) => observatory.spans(query, signal),
      ({ spans, truncated }) => {
        const body: z.infer<typeof spansBody> = { v: 1, spans, truncated };
        res.json(body);
      },
    );
  });
}
