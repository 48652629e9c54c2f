import { expect, onTestFinished, test } from 'vitest';
import { openFeed } from '../../testing/open-feed.ts';
import { openCommandConnection } from '../connection/command-connection.ts';
import { startLocalRedis } from '../private-server/local-redis.ts';

test.each(['events', 'monitor'] as const)(
  'at level %s, a read that is under way when the feed is closed ends and is not reported as lost',
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
  'at level %s, a read is ignored once the server is a replica and may have the data of another server',
  async (level) => {
    const atOnce = { args: ['--repl-diskless-sync-delay', '0'] };
    const [redis, other] = await Promise.all([startLocalRedis(), startLocalRedis(atOnce)]);
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
    await expect.poll(() => operator?.call('EXISTS', 'a')).toBe(1);
    await feed.read(0, [{ db: 0, name: 'a' }]);
    expect(reads).toHaveLength(1);
    expect(roles).toEqual(['replica']);
  },
);

test('the INFO that reads of Lockscope send is not a signal, but the INFO of a client is', async () => {
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
