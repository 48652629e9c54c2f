import { afterAll, beforeAll, test } from 'vitest';
import type { z } from 'zod';
import { clientBody, clientsBody } from '../../../shared/wire/clients.ts';
import { errorBody, eventsBody, healthBody, locksBody, signalsBody, spansBody } from '../../../shared/wire/http.ts';
import { lockBody } from '../../../shared/wire/locks/lock.ts';
import { trendsBody } from '../../../shared/wire/trends.ts';
import { windowBody } from '../../../shared/wire/window.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { type App, connectApp, listenFor } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The answers of the routes tested here have exactly the fields of their schemas in `shared/wire`. */

const LEASE = { leaseMs: 600_000 };
let redis: RunningRedis;
let lockscope: Lockscope;
let app: App;
let listener: () => Promise<void>;

beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'Exe' });
  lockscope = await startLockscope(redis.url);
  app = await connectApp(redis.url);
  listener = await listenFor(redis.url, 'orders');
  await app.acquire('orders', { ...LEASE, thread: 1 });
  await app.acquire('orders', { ...LEASE, thread: 1 });
  await app.acquire('orders', { ...LEASE, thread: 2 });
  await app.acquire('orders', { ...LEASE, thread: 2 });
  await app.acquire('flushed', LEASE);
  await app.acquire('brief', LEASE);
  await app.command('PEXPIRE', 'brief', '50');
  await waitFor('an expiry', async () => (await lockscope.eventsAfter(0, { type: 'lease.expired' })).length > 0);
  await app.command('FLUSHDB');
  await app.acquire('orders', { ...LEASE, thread: 2 });
  await waitFor('the client', async () => (await lockscope.eventsAfter(0, { type: 'client.connected' })).length > 0);
  await waitFor('the end', async () => (await lockscope.lock('flushed'))?.held === false);
});

afterAll(async () => {
  await listener?.();
  await app?.close();
  await lockscope?.stop();
  await redis?.stop();
});

const ROUTES: readonly [path: string, schema: z.ZodType][] = [
  ['/api/health', healthBody],
  ['/api/locks', locksBody],
  ['/api/locks?limit=1', locksBody],
  ['/api/locks?at=NOW', locksBody],
  ['/api/locks/orders', lockBody],
  ['/api/locks/orders?at=NOW', lockBody],
  ['/api/locks/flushed', lockBody],
  ['/api/lock?name=orders', lockBody],
  ['/api/events', eventsBody],
  ['/api/events?after=0&limit=2', eventsBody],
  ['/api/events?before=5', eventsBody],
  ['/api/events?dense=true&lock=orders', eventsBody],
  ['/api/events/1/signals', signalsBody],
  ['/api/spans', spansBody],
  ['/api/spans?lock=orders', spansBody],
  ['/api/window?from=1&limit=1', windowBody],
  ['/api/window?from=1&to=NOW&limit=1000', windowBody],
  ['/api/trends?bins=300', trendsBody],
  ['/api/clients', clientsBody],
  ['/api/clients?limit=1&at=NOW', clientsBody],
  ['/api/clients/UUID', clientBody],
  ['/api/demo', errorBody],
  ['/api/locks?at=1', errorBody],
  ['/api/locks/unknown', errorBody],
  ['/api/unknown', errorBody],
];

test.each(ROUTES)('the answer to GET %s has the fields of its schema', async (path, schema) => {
  const { at } = await lockscope.health();
  const { body } = await lockscope.get(path.replace('NOW', String(at)).replace('UUID', app.uuid));
  strictly(schema, body);
});
