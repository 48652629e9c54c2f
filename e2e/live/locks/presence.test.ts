import { expect, onTestFinished, test } from 'vitest';
import { clientBody, clientsBody } from '../../../shared/wire/clients.ts';
import { connectApp } from '../../support/clients/app.ts';
import type { ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { watchRedis } from '../../support/lockscope/watched-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const LOCK = 'orders:presence';

type Presence = Extract<ReportedEvent, { type: `client.${string}` }>;

const isOfClient = (event: ReportedEvent): event is Presence => event.type.startsWith('client.');

test('[O3] a holder without connections is now shown as gone, with its address, and as connected at an earlier instant', async () => {
  const { redis, lockscope, end } = await watchRedis();
  onTestFinished(end);
  const app = await connectApp(redis.url);
  await app.command('CLIENT', 'SETNAME', 'order-svc-1');
  await app.acquire(LOCK);
  const reported = (type: Presence['type']) =>
    waitFor(type, async (missing) => {
      const all = (await lockscope.eventsAfter(0, { type })).filter(isOfClient);
      return all.find(({ client }) => client === app.uuid) ?? missing(JSON.stringify(all));
    });
  const connected = await reported('client.connected');
  const [acquired] = await lockscope.eventsAfter(0, { lock: LOCK });
  expect(connected).toMatchObject({ name: 'order-svc-1', certainty: 'observed', lock: '' });
  expect(connected.addresses).toContain(acquired?.by);

  await app.close();
  const gone = await reported('client.gone');
  expect(gone).toMatchObject({ name: 'order-svc-1', certainty: 'inferred' });
  expect(gone.addresses).toContain(acquired?.by);
  expect(gone.since).toBeGreaterThanOrEqual(acquired?.at ?? Number.POSITIVE_INFINITY);

  const [held] = (await lockscope.lock(LOCK))?.holders ?? [];
  expect(held).toMatchObject({ presence: 'gone', goneSince: gone.since });
  expect(gone.addresses).toContain(held?.address);
  const now = clientsBody.parse((await lockscope.get('/api/clients?presence=gone')).body);
  expect(now.clients).toMatchObject([{ client: app.uuid, goneSince: gone.since, holds: [{ lock: LOCK }] }]);
  const before = connected.at + 1;
  const then = clientBody.parse((await lockscope.get(`/api/clients/${app.uuid}?at=${before}`)).body);
  expect(then).toMatchObject({ presence: 'connected', goneSince: null, holds: [{ lock: LOCK, holdCount: 1 }] });
  const past = (await lockscope.get(`/api/locks/${LOCK}?at=${before}`)).body;
  expect(past).toMatchObject({ holders: [{ presence: 'connected', goneSince: null }] });
});
