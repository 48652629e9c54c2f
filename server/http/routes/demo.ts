import { type RequestHandler, Router } from 'express';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { DemoStage } from '../../demo/demo-stage.ts';
import { HttpProblem } from '../problem.ts';

/** Answers everything under `/api/demo` if there is no demo. */
const noDemo: RequestHandler = (_req, _res, next) => {
  next(new HttpProblem(404, problem('no-demo')));
};

/** `/api/demo`: the current run, the scenarios, start and stop. */
export function demoRoutes(stage: DemoStage | undefined): Router {
  const router = Router();
  if (!stage) return router.use('/demo', noDemo);
  router.get('/demo', (_req, res) => {
    res.json(stage.view());
  });
  router.get('/demo/scenarios', (_req, res) => {
    res.json({ v: 1, scenarios: stage.scenarios() });
  });
  router.post('/demo/scenarios/:id/start', async (req, res) => {
    await stage.startScenario(req.params.id);
    res.json(stage.view());
  });
  router.post('/demo/stop', async (_req, res) => {
    await stage.stopScenario();
    res.json(stage.view());
  });
  return router;
}
