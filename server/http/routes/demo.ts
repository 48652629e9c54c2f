import { demoBody, demoScenarioPath, scenariosBody } from '../../../shared/wire/demo.ts';
import type { DemoStage } from '../../demo/demo-stage.ts';
import { route } from '../route.ts';

/** The current run and its clients. */
export const demoRoute = route({
  method: 'GET',
  path: '/demo',
  answer: demoBody,
}).handledBy((stage: DemoStage) => ({ body: stage.view() }));

export const scenariosRoute = route({
  method: 'GET',
  path: '/demo/scenarios',
  answer: scenariosBody,
}).handledBy((stage: DemoStage) => ({ body: { v: 1, scenarios: stage.scenarios() } }));

export const startScenarioRoute = route({
  method: 'POST',
  path: '/demo/scenarios/:id/start',
  params: demoScenarioPath,
  answer: demoBody,
}).handledBy(async (stage: DemoStage, { params: { id } }) => {
  await stage.startScenario(id);
  return { body: stage.view() };
});

export const stopScenarioRoute = route({
  method: 'POST',
  path: '/demo/stop',
  answer: demoBody,
}).handledBy(async (stage: DemoStage) => {
  await stage.stopScenario();
  return { body: stage.view() };
});
