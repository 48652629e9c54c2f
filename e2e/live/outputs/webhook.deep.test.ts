import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectApp, waitIn } from '../../support/clients/app.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const SECRET = 'T0KEN-of-the-channel';
let redis: RunningRedis;
let server: Server;
let lockscope: Lockscope;
let texts: string[] = [];

beforeEach(async () => {
  redis = await startRedis();
  let answers = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    // The first attempt fails.
    answers++;
    if (answers > 1) texts.push(JSON.parse(body).text);
    response.writeHead(answers > 1 ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const flags = ['--observe', 'monitor', '--webhook', `http://127.0.0.1:${port}/${SECRET}`];
  lockscope = await startLockscopeProcess(redis.url, flags);
});

afterEach(async () => {
  texts = [];
  await lockscope.stop();
  server.closeAllConnections();
  server.close();
  await redis.stop();
});

test('after a failed attempt a deadlock is sent again, but not twice, and the address of the webhook stays secret', async () => {
  const [a, b] = [await connectApp(redis.url), await connectApp(redis.url)];
  await a.acquire('orders:1');
  await b.acquire('orders:2');
  const ends = [await waitIn(redis.url, a, 'orders:2'), await waitIn(redis.url, b, 'orders:1'), a.close, b.close];
  await waitFor('the message', () => texts.length > 0);
  expect(texts[0]).toContain('Deadlock: threads wait for each other');
  expect(texts[0]).toMatch(/^\*critical: .*\*\n`orders:[12].*` \(redis, database 0\)\nWho: /);
  expect(texts[0]).toContain(`${a.uuid}:1`);
  expect(texts[0]).toContain(`${lockscope.url}/`);
  const { webhook } = await waitFor('the deliveries to be counted', async () => {
    const health = await lockscope.health();
    return health.webhook?.waiting === 0 && health;
  });
  const critical = (await lockscope.eventsAfter(0, { type: 'insight.opened' })).flatMap((event) =>
    event.type === 'insight.opened' && event.severity === 'critical' ? [event.insight] : [],
  );
  expect(critical.length).toBeGreaterThan(0);
  expect(texts.length).toBeLessThanOrEqual(new Set(critical).size); // verdicts that open together go into one message
  expect(texts.filter((text) => text.includes('Deadlock'))).toHaveLength(1);
  expect(webhook).toEqual({ sent: texts.length, waiting: 0, gaveUp: 0, problem: 'it answered 503' });
  expect(lockscope.output() + JSON.stringify(webhook)).not.toContain(SECRET);
  for (const end of ends) await end();
});
