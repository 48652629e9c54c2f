import { Router } from 'express';
import { z } from 'zod';
import type { signalsBody } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { checked, HttpProblem } from '../problem.ts';

const path = z.object({ seq: z.coerce.number().int().min(0) });

/** `GET /api/events/:seq/signals`: the Redis lines behind an event. */
export function signalsRoute({ observatory }: ApiContext): Router {
  return Router().get('/events/:seq/signals', async (req, res) => {
    const { seq } = checked(path, req.params, 'path');
    const signals = await observatory.history.signals(seq);
    if (!signals) {
      throw new HttpProblem(404, problem('event-not-in-memory', { seq }), 'seq');
    }
    const body: z.infer<typeof signalsBody> = { v: 1, seq, signals: [...signals] };
    res.json(body);
  });
}
