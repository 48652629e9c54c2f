import { Router } from 'express';
import { z } from 'zod';
import type { spansBody } from '../../../shared/wire/http.ts';
import type { AppContext } from '../app.ts';
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
export function spansRoute({ observatory }: AppContext): Router {
  return Router().get('/spans', (req, res) => {
    const { spans, truncated } = observatory.spans(checked(spansQuery, req.query, 'query'));
    const body: z.infer<typeof spansBody> = { v: 1, spans, truncated };
    res.json(body);
  });
}
