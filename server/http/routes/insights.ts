import { Router } from 'express';
import { insightsBodyFrom, insightsQuery } from '../../../shared/wire/insight.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';
import { instantInMemory } from './past-instant.ts';

/** `GET /api/insights`: what is wrong now or at an instant, and what is not known. */
export function insightsRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/insights', async (req, res) => {
    const query = checked(insightsQuery, req.query, 'query');
    const now = observatory.now(query.source);
    const at = query.at === undefined ? undefined : instantInMemory(query.at, observatory.history, now);
    await turns.answerJson(res, (signal) => observatory.insights({ ...query, at }, signal), insightsBodyFrom);
  });
}
