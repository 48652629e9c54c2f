import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { acquired } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { soon } from '../testing/soon.ts';
import { type StepProxy, startStepProxy } from '../testing/step-proxy.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

let redis: LocalRedis;
let proxy: StepProxy;
let app: TestApp;
let goOn: () => void = () => undefined;
let isHeld = true;

beforeAll(async () => {
  redis = await startLocalRedis();
  const held = new Promise<undefined>((resolve) => {
    goOn = () => {
      isHeld = false;
      resolve(undefined);
    };
  });
  proxy = await startStepProxy(redis.url, ({ text }) => (isHeld && text.includes('TIME') ? held : undefined));
  const url = parseRedisUrl(proxy.url);
  if (!url.ok) throw new Error(url.error);
  const observatory = makeMemoryObservatory();
  observatory.record(acquired('a', 'u1:1'));
  app = await serveTestApp({ ...observatory, serverOf: () => url.value }, { allowRelease: true });
});

afterAll(async () => {
  await app?.close();
  proxy?.close();
  await redis?.stop();
});

test('one dry run at a time has a connection; 64 wait, and further dry runs are refused with a time to retry', async () => {
  const ask = () => app.post('/api/locks/a/release', { confirm: 'a', dryRun: true });
  const all = Array.from({ length: 80 }, ask);
  const refused = 80 - 65; // one at work, 64 waiting
  const statuses: number[] = [];
  for (const each of all) void each.then(({ status }) => statuses.push(status));
  await soon(() => expect(statuses).toHaveLength(refused));
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(proxy.connections()).toBe(1);
  goOn();
  const answers = await Promise.all(all);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(65);
  for (const { status, headers, body } of answers) {
    if (status !== 503) continue;
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toMatchObject({ error: { code: 'busy', values: { why: 'waiting' } } });
  }
});
