import { type Lockscope, startLockscope } from '../support/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/** A Redis with this many held locks, each named by its number and `suffix`, and a Lockscope that shows all of them. */
export async function startWithHeldLocks(
  count: number,
  suffix: string,
): Promise<{ redis: RunningRedis; lockscope: Lockscope }> {
  const redis = await startRedis();
  for (let n = 0; n < count; n += 1) {
    const holder = `${String(n).padStart(8, '0')}-d89d-4cda-962c-c6e370a8fee0:1`;
    await redis.command('HSET', `held:${n}:${suffix}`, holder, '1');
    await redis.command('PEXPIRE', `held:${n}:${suffix}`, '3600000');
  }
  const lockscope = await startLockscope(redis.url);
  await waitFor('every lock to be seen', async (missing) => {
    const { length } = await lockscope.locks();
    return length === count || missing(String(length));
  });
  return { redis, lockscope };
}
