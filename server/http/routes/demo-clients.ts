import { Router } from 'express';
import { z } from 'zod';
import { clientAction, threadAction, threadActionBody } from '../../../shared/wire/demo.ts';
import type { DemoStage } from '../../demo/demo-stage.ts';
import { inTime } from '../../redis/in-time.ts';
import { checked } from '../problem.ts';

const LONGEST_WAIT_MS = 60_000;

const clientPath = z.object({ client: z.string().max(64), action: clientAction });
const threadPath = z.object({ client: z.string().max(64), n: z.coerce.number().int().min(0), action: threadAction });
const waitQuery = z.object({ wait: z.enum(['0', '1', 'true', 'false']).optional() });

/** `/api/demo/clients`: freezes and kills client processes, and starts operations of their threads. */
export function demoClientRoutes(stage: DemoStage | undefined): Router {
  const router = Router();
  if (!stage) return router;
  router.post('/demo/clients/:client/:action', async (req, res) => {
    const { client, action } = checked(clientPath, req.params, 'path');
    await stage.clientAction(client, action);
    res.json(stage.view());
  });
  router.post('/demo/clients/:client/threads/:n/:action', async (req, res) => {
    const { client, n, action } = checked(threadPath, req.params, 'path');
    const { wait } = checked(waitQuery, req.query, 'query');
    const { op, done } = stage.threadAction(client, n, action, checked(threadActionBody, req.body ?? {}, 'body'));
    // It may fail long after this answer. Then the stage's view shows the result.
    done.catch(() => {});
    if (wait !== '1' && wait !== 'true') {
      res.status(202).json({ v: 1, op, state: 'started' });
      return;
    }
    const end = await inTime(LONGEST_WAIT_MS, done);
    if (end === undefined) res.status(202).json({ v: 1, op, state: 'running' });
    else res.json({ v: 1, op, ok: end.ok, result: end.result });
  });
  return router;
}
