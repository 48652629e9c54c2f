import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { startLocalRedis } from '../private-server/local-redis.ts';
import { LineReader } from './line-reader.ts';
import { OrderedFeed } from './ordered-feed.ts';

test.each(['events', 'monitor'] as const)(
  'at level %s, a read that is under way when we close settles and is not reported as lost',
  async (level) => {
    const redis = await startLocalRedis();
    const url = parseRedisUrl(redis.url);
    if (!url.ok) throw new Error(url.error);
    const rejected: string[] = [];
    const signals: unknown[] = [];
    try {
      const feed = await OrderedFeed.connect(url.value, level, new LineReader(), {
        onSignal: (signal) => signals.push(signal),
        onEffects: () => undefined,
        onQuiet: () => undefined,
        onHole: () => undefined,
        onBeat: () => undefined,
        onRejected: (reason) => rejected.push(reason),
        onInvalidated: () => undefined,
        onClose: () => undefined,
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
