import { plusMillis } from '../../../shared/base/time.ts';
import { type Demo, demoBody, demoScenarioPath, scenariosBody } from '../../../shared/wire/demo.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { BEAT_EVERY_MS } from '../../watch/source/source-lag.ts';
import { route } from '../answer/route.ts';
import type { DemoContext } from '../app-context.ts';

/** Why the clients or the private servers of a scenario did not start. */
const NO_SERVERS = [
  'client-failed',
  'servers-failed',
  'no-docker',
  'docker-refused',
  'docker-stopped',
  'docker-silent',
  'no-image',
  'port-taken',
] as const;

export const demoRoute = route({
  method: 'GET',
  path: '/demo',
  operation: 'getDemo',
  tag: 'demo',
  summary: 'Shows the current run of the demo and its clients.',
  answer: demoBody,
}).handledBy(({ stage, observatory }: DemoContext) => ({
  body: { ...stage.view(), reported: reportedBy(observatory) },
}));

export const scenariosRoute = route({
  method: 'GET',
  path: '/demo/scenarios',
  operation: 'listScenarios',
  tag: 'demo',
  summary: 'Lists the scenarios of the demo.',
  answer: scenariosBody,
}).handledBy(({ stage }: DemoContext) => ({ body: { v: 1, scenarios: stage.scenarios() } }));

export const startScenarioRoute = route({
  method: 'POST',
  path: '/demo/scenarios/:id/start',
  operation: 'startScenario',
  tag: 'demo',
  summary: 'Stops the running scenario and starts this one.',
  refusals: {
    404: ['no-such-scenario'],
    409: ['key-in-use'],
    500: NO_SERVERS,
  },
  params: demoScenarioPath,
  answer: demoBody,
}).handledBy(async ({ stage }: DemoContext, { params: { id } }) => {
  await stage.startScenario(id);
  return { body: stage.view() };
});

export const stopScenarioRoute = route({
  method: 'POST',
  path: '/demo/stop',
  operation: 'stopScenario',
  tag: 'demo',
  summary: 'Stops the running scenario.',
  refusals: { 409: ['recorded-demo'] },
  answer: demoBody,
}).handledBy(async ({ stage }: DemoContext) => {
  await stage.stopScenario();
  return { body: stage.view() };
});

/** Until when everything has been reported: `lagMs` of a source includes all but the time since its last heartbeat. */
function reportedBy(observatory: Observatory): Demo['reported'] {
  const lags = observatory.sources().map(({ status, lagMs }) => (status === 'observing' ? lagMs + BEAT_EVERY_MS : 0));
  return { until: plusMillis(observatory.now(), -Math.max(0, ...lags)), seq: observatory.history.nextSeq() - 1 };
}
