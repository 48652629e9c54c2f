import { Router } from 'express';
import { observeBody } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { checked, HttpProblem } from '../problem.ts';

/** MONITOR slows Redis down, so by default it ends after this time. */
const MONITOR_MS = 300_000;

/** `POST /api/sources/:id/observe`: switches the observe level of a source. */
export function observeRoute({ observatory }: ApiContext): Router {
  return Router().post('/sources/:id/observe', async (req, res) => {
    const { level, forMs, openEnded, force } = checked(observeBody, req.body ?? {}, 'body');
    const { id } = req.params;
    checkSource(observatory, id);
    const limit = level === 'monitor' && openEnded !== true ? (forMs ?? MONITOR_MS) : (forMs ?? null);
    res.json({ v: 1, source: await observatory.observe(id, { level, forMs: limit, isForced: force === true }) });
  });
}

/** Throws a 404 if there is no source with this id. */
export function checkSource(observatory: ApiContext['observatory'], id: string): void {
  if (observatory.sources().some((source) => source.id === id)) return;
  throw new HttpProblem(404, problem('unknown-source'), 'id');
}
