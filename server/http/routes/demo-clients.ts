import {
  demoBody,
  demoClientPath,
  demoThreadPath,
  threadActionAnswer,
  threadActionBody,
  threadActionQuery,
} from '../../../shared/wire/demo.ts';
import { inTime } from '../../redis/connection/in-time.ts';
import { route } from '../answer/route.ts';
import type { DemoContext } from '../app-context.ts';

const LONGEST_WAIT_MS = 60_000;

export const demoClientRoute = route({
  method: 'POST',
  path: '/demo/clients/:client/:action',
  operation: 'changeDemoClient',
  tag: 'demo',
  summary: 'Freezes, kills, starts or disconnects a client process of the demo, or ends that.',
  refusals: { 404: ['no-such-client'], 409: ['wrong-state', 'recorded-demo'], 500: ['client-failed'] },
  params: demoClientPath,
  answer: demoBody,
}).handledBy(async ({ stage }: DemoContext, { params: { client, action } }) => {
  await stage.clientAction(client, action);
  return { body: stage.view() };
});

export const demoThreadRoute = route({
  method: 'POST',
  path: '/demo/clients/:client/threads/:n/:action',
  operation: 'runDemoThread',
  tag: 'demo',
  summary: 'Starts an operation of one thread of the demo, and waits for its result if asked to.',
  refusals: {
    400: ['foreign-key'],
    404: ['no-such-client', 'no-such-thread'],
    409: ['wrong-state', 'too-many-names', 'recorded-demo'],
    500: ['client-failed'],
  },
  mayGoOn: true,
  params: demoThreadPath,
  query: threadActionQuery,
  body: threadActionBody,
  answer: threadActionAnswer,
}).handledBy(async ({ stage }: DemoContext, { params: { client, n, action }, query, body }) => {
  const { op, done } = stage.threadAction(client, n, action, body);
  // The operation may fail long after this answer. Then the stage's view shows the result.
  done.catch(() => {});
  if (query.wait !== true) return { status: 202, body: { v: 1, op, state: 'started' } };
  const end = await inTime(LONGEST_WAIT_MS, done);
  if (end === undefined) return { status: 202, body: { v: 1, op, state: 'running' } };
  return { body: { v: 1, op, ok: end.ok, result: end.result } };
});
