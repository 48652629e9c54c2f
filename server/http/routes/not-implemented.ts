import { Router } from 'express';
import type { AppContext } from '../app-context.ts';
import { HttpProblem } from '../problem.ts';

/** Documented paths that are not implemented yet. They return empty lists, or a 404 `not-there-yet`. */
export function laterRoutes({ allowRelease }: AppContext): Router {
  const router = Router();
  router.get('/graph', (_req, res) => {
    res.json({ v: 1, nodes: [], edges: [], cycles: [] });
  });
  router.post('/locks/:name/release', () => {
    if (allowRelease) {
      throw notThereYet(
        'Lockscope cannot release locks yet.',
        'Unlock in the application, or wait until the lease expires.',
      );
    }
    throw new HttpProblem(
      403,
      'release-not-allowed',
      'This Lockscope only watches.',
      'Start it with --allow-release to allow force-unlock.',
    );
  });
  return router;
}

/** A 404 for a documented feature that is not implemented yet. */
export function notThereYet(message: string, hint: string): HttpProblem {
  return new HttpProblem(404, 'not-there-yet', message, hint);
}
