import { Router } from 'express';
import { redisTime } from '../../../shared/base/time.ts';
import { type WindowBody, windowQuery } from '../../../shared/wire/window.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';
import { notAfter } from './past-instant.ts';

/** `GET /api/window`: the state of the locks at an instant, and the events after it. */
export function windowRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/window', async (req, res) => {
    const { from, to, ...query } = checked(windowQuery, req.query, 'query');
    notAfter(observatory.now(query.source), 'from', from);
    const asked = { ...query, from: redisTime(from), to: to === undefined ? undefined : redisTime(to) };
    await turns.answerJson(
      res,
      (signal) => observatory.window(asked, signal),
      (window): WindowBody => ({ v: 1, ...window }),
    );
  });
}
