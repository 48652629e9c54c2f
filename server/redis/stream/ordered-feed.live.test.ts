import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { openCommandConnection } from '../command-connection.ts';
import { startLocalRedis } from '../private-server/local-redis.ts';
import type { FeedSink } from './feed-sink.ts';

test.each(['events', 'monitor'] as const)(
  'at level %s, a read that is under way when we close settles and is not reported as lost',
  async (level) => {
    const redis = await startLocalRedis();
    const rejected: string[] = [];
    const signals: unknown[] = [];
    try {
      const feed = await openFeed(redis.url, level, {
        onSignal: (signal) => signals.push(signal),
        onRejected: (reason) => rejected.push(reason),
      });
      await feed.start([]);
      feed.flow();
      const read = feed.read(0, [{ db: 0, name: 'a' }]);
      feed.close();
      const before = signals.length;
      await read;
      expect(rejected).toEqual([]);
      expect(signals).toHaveLength(before);
    } finally {
      await redis.stop();
    }
  },
);

test.each(['events', 'monitor'] as const)(
  'at level %s, a read shows nothing once the server is a replica and may have the data of another server',
  async (level) => {
    const [redis, other] = await Promise.all([startLocalRedis(), startLocalRedis()]);
    onTestFinished(() => Promise.all([redis.stop(), other.stop()]).then());
    const [operator, elsewhere] = [redis, other].map(({ url }) => openCommandConnection({ url, name: 'operator' }));
    onTestFinished(() => {
      for (const each of [operator, elsewhere]) each?.close();
    });
    const roles: string[] = [];
    const reads: unknown[] = [];
    const feed = await openFeed(redis.url, level, {
      onSignal: (signal) => {
        if (typeof signal === 'object' && signal.kind === 'bookmark') reads.push(...signal.reads);
      },
      onOtherRole: (role) => roles.push(role),
    });
    onTestFinished(() => feed.close());
    await feed.start([]);
    feed.flow();
    await feed.read(0, [{ db: 0, name: 'a' }]);
    expect(reads).toMatchObject([{ name: 'a', type: 'none' }]);
    await elsewhere?.call('HSET', 'a', 'uuid:1', '1');
    await operator?.call('REPLICAOF', '127.0.0.1', String(other.port));
    await expect.poll(() => operator?.call('EXISTS', 'a'), { timeout: 20_000 }).toBe(1);
    await feed.read(0, [{ db: 0, name: 'a' }]);
    expect(reads).toHaveLength(1);
    expect(roles).toEqual(['replica']);
  },
);

test('that our reads ask for the role of the server is not a signal: clients ask for other reasons', async () => {
  const redis = await startLocalRedis();
  onTestFinished(() => redis.stop());
  const operator = openCommandConnection({ url: redis.url, name: 'operator' });
  onTestFinished(() => operator.close());
  const asking: (string | null)[] = [];
  const feed = await openFeed(redis.url, 'monitor', {
    onSignal: (signal) => {
      if (typeof signal === 'object' && signal.kind === 'line' && signal.words[0] === 'INFO')
        asking.push(signal.client);
    },
  });
  onTestFinished(() => feed.close());
  await feed.start([]);
  feed.flow();
  await feed.read(0, [{ db: 0, name: 'a' }]);
  asking.length = 0; // our connection is known from its first read on
  await feed.read(0, [{ db: 0, name: 'a' }]);
  await operator.call('INFO', 'replication');
  await feed.read(0, [{ db: 0, name: 'a' }]);
  expect(asking).toHaveLength(1);
});

const SLOW_MS = 2000;
const EXPIRED = '__keyevent@0__:expired';

/**
 * Opens a way to a server on which MONITOR takes two seconds to arrive, or everything that the server sends after MONITOR
 * does. `onSlow` is called meanwhile.
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

/** A feed at level `monitor` over a slow way, and when Redis got a message meanwhile. */
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

test('what happened before MONITOR began is not seen, although the subscription began earlier', async () => {
  const heard: string[] = [];
  const { feed, other, slowAt } = await feedOverSlowWay('to the server', (signal) => {
    if (signal !== 'other' && signal.kind === 'push') heard.push(signal.message);
  });
  expect(feed.startedAt).toBeGreaterThan(slowAt);
  await other.call('PUBLISH', EXPIRED, 'orders:43');
  await expect.poll(() => heard).toEqual(['orders:43']);
});

test('everything since MONITOR began is seen at its own time, although the reply to MONITOR arrives late', async () => {
  const heard: { message: string; at: number }[] = [];
  const { feed, slowAt } = await feedOverSlowWay('from the server', (signal) => {
    if (signal !== 'other' && signal.kind === 'push') heard.push(signal);
  });
  expect(feed.startedAt).toBeLessThan(slowAt);
  await expect.poll(() => heard.map(({ message }) => message)).toEqual(['orders:42']);
  expect(heard[0]?.at).toBeLessThan(slowAt + (SLOW_MS / 4) * 1000);
});
