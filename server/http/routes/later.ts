import { Router } from 'express';
import type { AppContext } from '../app.ts';
import { HttpProblem } from '../problem.ts';

/** Paths of the contract that have nothing to show yet: empty lists, or a plain "not there yet". */
export function laterRoutes({ allowRelease }: AppContext): Router {
  const router = Router();
  router.get('/insights', (_req, res) => {
    res.json({ v: 1, insights: [] });
  });
  router.get('/graph', (_req, res) => {
    res.json({ v: 1, nodes: [], edges: [], cycles: [] });
  });
  router.post('/locks/:name/release', () => {
    if (allowRelease) {
      throw notThereYet('Locks cannot be released from here yet.', 'Unlock in the application, or wait for the lease.');
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

/** The answer for something the contract names and this version does not do. */
export function notThereYet(message: string, hint: string): HttpProblem {
  return new HttpProblem(404, 'not-there-yet', message, hint);
}
