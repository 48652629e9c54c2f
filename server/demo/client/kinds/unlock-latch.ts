import type { ConnectionPool } from '../connection-pool.ts';
import { newRequestId, unlockLatch } from '../names.ts';
import { latchTtl, replyNumber } from './lock-protocol.ts';

/**
 * Runs an unlock script with a new latch: the key that makes a repeat of the same unlock return the same result.
 * True: released; false: still held; null: not the holder.
 */
export async function unlockOnce(
  pool: ConnectionPool,
  lock: string,
  run: (latch: string, ttlMs: number) => Promise<unknown>,
): Promise<boolean | null> {
  const latch = unlockLatch(lock, newRequestId());
  const reply = await run(latch, latchTtl());
  // The reply has arrived, so the unlock will not be repeated. The deletion is not awaited.
  pool.command('DEL', latch).catch(() => undefined);
  return reply === null ? null : replyNumber(reply) === 1;
}
