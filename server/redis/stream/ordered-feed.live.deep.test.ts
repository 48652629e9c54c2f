import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { openCommandConnection } from '../connection/command-connection.ts';
import { startLocalRedis } from '../private-server/local-redis.ts';
import type { FeedSink } from './feed-sink.ts';

const SLOW_MS = 2000;
const EXPIRED = '__keyevent@0__:expired';

/**
 * Opens an address that forwards to a server with a delay: MONITOR arrives two seconds late, or everything that the
 * server sends after MONITOR does. `onSlow` is called meanwhile.
 */
async function openSlowWay(
  url: string,
  slow: 'to the server' | 'from the server',
  onSlow: () => void,
): Promise<string> {
  const { port } = new URL(url);
  const way = createServer((client) => {
    const server = connect(Number(port), '127.0.0.1');
    server.pipe(client);
    client.on('data', async (bytes: Buffer) => {
      const isMonitor = bytes.includes('MONITOR');
      if (isMonitor && slow === 'from the server') {
        server.unpipe(client);
        server.write(bytes);
      }
      if (isMonitor) {
        await pause(SLOW_MS / 2);
        onSlow();
        await pause(SLOW_MS / 2);
      }
      if (isMonitor && slow === 'from the server') server.pipe(client);
      else server.write(bytes);
    });
    for (const socket of [client, server]) {
      socket.on('error', () => undefined).on('close', () => [client, server].map((each) => each.destroy()));
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void way.close());
  const address = way.address();
  if (typeof address !== 'object' || !address) throw new Error('it listens on a port');
  return Object.assign(new URL(url), { port: String(address.port) }).href;
}

/** A feed at level `monitor` over an address of `openSlowWay`, and when Redis got a message during the delay. */
async function feedOverSlowWay(slow: Parameters<typeof openSlowWay>[1], onSignal: FeedSink['onSignal']) {
  const redis = await startLocalRedis();
  onTestFinished(() => redis.stop());
  const other = openCommandConnection({ url: redis.url });
  onTestFinished(() => other.close());
  await other.whenReady(60_000);
  let slowAt = 0;
  const way = await openSlowWay(redis.url, slow, () => {
    slowAt = Date.now() * 1000;
    other.call('PUBLISH', EXPIRED, 'orders:42').catch(() => undefined);
  });
  const feed = await openFeed(way, 'monitor', { onSignal });
  onTestFinished(() => feed.close());
  await feed.start([EXPIRED]);
  feed.flow();
  return { feed, other, slowAt };
}

test('a message before MONITOR began is not emitted, although the subscription began earlier', async () => {
  const heard: string[] = [];
  const { feed, other, slowAt } = await feedOverSlowWay('to the server', (signal) => {
    if (signal !== 'other' && signal.kind === 'push') heard.push(signal.message);
  });
  expect(feed.startedAt).toBeGreaterThan(slowAt);
  await other.call('PUBLISH', EXPIRED, 'orders:43');
  await expect.poll(() => heard).toEqual(['orders:43']);
});

test('a message since MONITOR began is emitted with its own time, although the reply to MONITOR is late', async () => {
  const heard: { message: string; at: number }[] = [];
  const { feed, slowAt } = await feedOverSlowWay('from the server', (signal) => {
    if (signal !== 'other' && signal.kind === 'push') heard.push(signal);
  });
  expect(feed.startedAt).toBeLessThan(slowAt);
  await expect.poll(() => heard.map(({ message }) => message)).toEqual(['orders:42']);
  expect(heard[0]?.at).toBeLessThan(slowAt + (SLOW_MS / 4) * 1000);
});
