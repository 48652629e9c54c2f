import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { CHANNEL_PATTERNS } from '../../../shared/events/names/names.ts';
import { RawConnection } from '../connection/raw-connection.ts';
import { RedisError } from '../connection/reply.ts';

/**
 * Subscribes to expiries and lock channels, which levels `events` and `monitor` need; returns the error if Redis
 * refuses.
 */
export async function trySubscribe(connection: RawConnection): Promise<RedisError | null> {
  try {
    await connection.subscribe('PSUBSCRIBE', '__keyevent@*__:expired', ...CHANNEL_PATTERNS);
    return null;
  } catch (error) {
    if (error instanceof RedisError) return error;
    throw error;
  }
}

/** Sends MONITOR; returns the error if Redis refuses. The connection must be closed at once. */
export async function tryMonitor(connection: RawConnection): Promise<RedisError | null> {
  const [reply] = await connection.pipeline([['MONITOR']]);
  return reply instanceof RedisError ? reply : null;
}

/**
 * Whether this user may subscribe and, for level `monitor`, run MONITOR. Tried on a new connection. Rejects if the
 * server cannot be reached.
 */
export async function mayBegin(url: RedisUrl, level: 'events' | 'monitor'): Promise<boolean> {
  const connection = await RawConnection.open(url);
  try {
    await connection.greet(url);
    if ((await trySubscribe(connection)) !== null) return false; // level monitor subscribes too
    return level === 'events' || (await tryMonitor(connection)) === null;
  } finally {
    connection.close();
  }
}
