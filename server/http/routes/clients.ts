import { Router } from 'express';
import type { z } from 'zod';
import { type clientBody, clientQuery, type clientsBody, clientsQuery } from '../../../shared/wire/clients.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked, HttpProblem } from '../problem.ts';
import { instantInMemory } from './past-instant.ts';

/**
 * `GET /api/clients`: clients with their addresses, presence, holds and waits, now or as of an instant.
 * `GET /api/clients/:uuid`: the same for one client.
 */
export function clientsRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  const instant = (at: number | undefined, source: string | undefined) =>
    at === undefined ? undefined : instantInMemory(at, observatory.history, observatory.now(source));
  const router = Router();
  router.get('/clients', async (req, res) => {
    const { cursor: from = 0, ...query } = checked(clientsQuery, req.query, 'query');
    const at = instant(query.at, query.source);
    const to = from + query.limit;
    await turns.answerJson(
      res,
      (signal) => observatory.clientPage({ ...query, at, from }, signal),
      ({ clients, total }): z.infer<typeof clientsBody> => ({
        v: 1,
        at: at ?? observatory.now(query.source),
        clients,
        total,
        ...(to < total ? { nextCursor: String(to) } : {}),
      }),
    );
  });
  router.get('/clients/:uuid', async (req, res) => {
    const query = checked(clientQuery, req.query, 'query');
    const at = instant(query.at, query.source);
    await turns.answerJson(
      res,
      (signal) =>
        observatory.clientPage({ source: query.source, client: req.params.uuid, at, from: 0, limit: 10 }, signal),
      ({ clients: [client, ...others] }): z.infer<typeof clientBody> => {
        if (!client) throw unknownClient();
        if (others.length > 0) throw ambiguousClient([client, ...others].map(({ source }) => source));
        return { v: 1, at: at ?? observatory.now(client.source), ...client };
      },
    );
  });
  return router;
}

function unknownClient(): HttpProblem {
  return new HttpProblem(404, problem('unknown-client'), 'uuid');
}

function ambiguousClient(sources: readonly string[]): HttpProblem {
  const places = sources.map((source) => `?source=${encodeURIComponent(source)}`);
  return new HttpProblem(409, problem('ambiguous-client', { count: sources.length, places }), 'uuid');
}
