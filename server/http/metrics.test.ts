import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { samplesIn, valuesOf } from '../../testing/stories/parse-metrics.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { acquired } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import { createApp } from './app.ts';
import { createGuard } from './guard/guard.ts';

/** What Prometheus 2.42 and 3.5 send. */
const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

let app: TestApp | undefined;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  await app?.close();
  app = undefined;
  for (const end of ends.splice(0)) await end();
});

/** An observatory with one held lock, and its metrics. */
function watched() {
  const observatory = makeMemoryObservatory();
  const metrics = createMetrics({ observatory, version: '1.2.3' });
  observatory.record(acquired('a', 'u:1'));
  ends.push(metrics.stop);
  return { observatory, metrics };
}

test.each([
  ['*/*', TEXT],
  ['text/html,application/xhtml+xml,*/*;q=0.8', TEXT],
  ['text/plain', TEXT],
  ['text/plain;version=0.0.4;q=0.9,application/openmetrics-text;q=0.8', TEXT],
  [PROMETHEUS_2, OPEN_METRICS],
  [PROMETHEUS_3, OPEN_METRICS],
])('the Accept header %s is answered with the content type %s', async (accept, type) => {
  const { observatory, metrics } = watched();
  app = await serveTestApp(observatory, { metrics });
  const { status, headers, body } = await app.get('/metrics', { headers: { accept } });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, 'no-store']);
  expect(valuesOf(samplesIn(String(body)), 'lockscope_locks')).toEqual({ 'main lock held': 1, 'main lock free': 0 });
});

test('/metrics needs the token, which Prometheus sends as a bearer', async () => {
  const { observatory, metrics } = watched();
  const guard = createGuard({ host: '127.0.0.1', token: 'a-long-enough-token' });
  app = await serveTestApp(observatory, { metrics, guard });
  expect((await app.get('/metrics')).status).toBe(401);
  const authorization = 'Bearer a-long-enough-token';
  expect((await app.get('/metrics', { headers: { authorization } })).status).toBe(200);
});

test('a Lockscope without metrics, such as a recording, refuses /metrics with its own code', async () => {
  app = await serveTestApp(makeMemoryObservatory());
  expect(await app.get('/metrics')).toMatchObject({ status: 404, body: { error: { code: 'no-metrics' } } });
});

test('two applications under paths of one server each have their own metrics', async () => {
  const outer = express();
  for (const base of ['/ops/one', '/ops/two']) {
    const { observatory, metrics } = watched();
    if (base === '/ops/two') observatory.record(acquired('b', 'u:1'));
    const guard = createGuard({ host: '127.0.0.1', token: undefined });
    const report = () => undefined;
    const context = { observatory, metrics, stage: undefined, guard, version: '1', allowRelease: false };
    outer.use(base, createApp({ ...context, webDir: '/nowhere', report }));
  }
  const server = createServer(outer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo
  const held = async (path: string) => {
    const answer = await fetch(url + path, { headers: { connection: 'close' } });
    return answer.ok ? valuesOf(samplesIn(await answer.text()), 'lockscope_locks')['main lock held'] : answer.status;
  };
  expect([await held('/ops/one/metrics'), await held('/ops/two/metrics'), await held('/metrics')]).toEqual([1, 2, 404]);
});
