import type { ConnectionPool } from '../connection-pool.ts';
import { newRequestId, unlockLatch } from '../names.ts';
import { latchTtl, replyNumber } from './way-of-locking.ts';

/**
 * Runs an unlock script with a latch of its own: the key that gives a repeat of the same unlock the same answer.
 * True: released; false: held still; null: not the holder.
 */
export async function unlockOnce(
  pool: ConnectionPool,
  lock: string,
  run: (latch: string, ttlMs: number) => Promise<unknown>,
): Promise<boolean | null> {
  const latch = unlockLatch(lock, newRequestId());
  const reply = await run(latch, latchTtl());
  // The answer has arrived, so nobody will ask again. Nobody waits for this one either.
  pool.command('DEL', latch).catch(() => undefined);
  return reply === null ? null : replyNumber(reply) === 1;
}
