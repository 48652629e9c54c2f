import { ACQUIRE, connectApp } from '../support/clients/app.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * Starts a Redis with `count` held locks, each named by its number and `suffix`, and a Lockscope that shows all of
 * them. Lockscope sees the acquisitions, because a scan has a budget and is slow on a busy machine.
 */
export async function startWithHeldLocks(
  count: number,
  suffix: string,
): Promise<{ redis: RunningRedis; lockscope: LockscopeProcess }> {
  const redis = await startRedis();
  const lockscope = await startLockscopeProcess(redis.url);
  const app = await connectApp(redis.url);
  const acquire = (n: number) => {
    const holder = `${String(n).padStart(8, '0')}-d89d-4cda-962c-c6e370a8fee0:1`;
    return app.command('EVAL', ACQUIRE, '1', `held:${n}:${suffix}`, '3600000', holder);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => acquire(n)));
  await app.close();
  await waitFor('every acquisition to be seen', async (missing) => {
    const { nextSeq } = (await lockscope.health()).history;
    return nextSeq > count || missing(`${nextSeq} events`);
  });
  await waitFor('every lock to be shown', async (missing) => {
    const { length } = await lockscope.locks();
    return length === count || missing(String(length));
  });
  return { redis, lockscope };
}
