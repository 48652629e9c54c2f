import { Router } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problem.ts';

/** Documented paths that are not implemented yet. They return empty lists, or a 404 `not-there-yet`. */
export function laterRoutes({ allowRelease }: ApiContext): Router {
  const router = Router();
  router.get('/graph', (_req, res) => {
    res.json({ v: 1, nodes: [], edges: [], cycles: [] });
  });
  router.post('/locks/:name/release', () => {
    if (allowRelease) throw notThereYet('release');
    throw new HttpProblem(403, problem('release-not-allowed'));
  });
  return router;
}

/** A 404 for a documented feature that is not implemented yet. */
export function notThereYet(what: 'metrics' | 'release'): HttpProblem {
  return new HttpProblem(404, problem('not-there-yet', { what }));
}
