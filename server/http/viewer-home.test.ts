import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FleetBody } from '../../shared/wire/fleet/fleet.ts';
import { emptyObservatory } from '../fleet-site.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import type { Fleet } from './fleet-mount.ts';

let app: TestApp;
const names = Array.from({ length: 11 }, (_, n) => `shop-${n}`);

/** A viewer of these sources. The code under test reads only their names. */
const fleet = {
  body: () => ({ sources: names.map((name) => ({ name })) }) as FleetBody,
  isConnected: () => true,
} as Pick<Fleet, 'body' | 'isConnected'> as Fleet;

beforeEach(async () => {
  app = await serveTestApp(emptyObservatory(), { fleet });
});
afterEach(() => app.close());

test.each([
  ...['/insights', '/insights?source=typo', '/insights?open=true', '/locks', '/locks?q=order', '/locks/order%3A42'],
  ...['/lock?name=order', '/clients', '/problems', '/graph', '/waits', '/costs', '/hours?lock=a', '/spans', '/Locks'],
])('GET %s of a viewer itself is refused, and the error names its sources and their path', async (path) => {
  const { status, body } = await app.get(`/api${path}`);
  expect(status).toBe(404);
  expect(body).toMatchObject({ error: { code: 'ask-a-source', values: { names: names.slice(0, 10) } } });
  expect(body).toMatchObject({ error: { hint: expect.stringMatching(/\/sources\/NAME\/api\/.*shop-0, shop-1/) } });
});

test('a viewer itself answers requests for its health and its API description', async () => {
  for (const path of ['/api/health', '/api/openapi.json']) expect((await app.get(path)).status, path).toBe(200);
});

test('a viewer itself examines no server, and its error reports that the sources are watched elsewhere', async () => {
  const { status, body } = await app.get('/api/doctor');
  expect(status).toBe(409);
  expect(body).toMatchObject({ error: { code: 'watched-elsewhere' } });
});
