import { startLockscopeProcess } from '../lockscope/lockscope-process.ts';
import { startRedis } from '../servers/redis.ts';
import type { endsAfterEach } from './ends-after-each.ts';
import { keepReading } from './keep-reading.ts';
import { KEEPS_SLOWLOG } from './standstill.ts';

const LEVELS = ['monitor', 'events'] as const;

/** Starts a Redis with key events, and a Lockscope at level monitor and one at level events. Reads all their events. */
export async function watchAtLevels(keep: ReturnType<typeof endsAfterEach>) {
  const redis = keep(await startRedis({ 'notify-keyspace-events': 'KA', ...KEEPS_SLOWLOG }), (server) => server.stop());
  const watching = await Promise.all(
    LEVELS.map(async (level) => {
      const lockscope = keep(await startLockscopeProcess(redis.url, ['--observe', level]), (each) => each.stop());
      return { level, lockscope, reading: keepReading(lockscope) };
    }),
  );
  return { redis, watching };
}
