import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { addManyLocks } from '../support/clients/many-locks.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { rssMb } from '../support/process-state.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Locks that are used only once, for example with an id in each name, and more held locks than the memory has room for.
 * LOCKS is the number of the former, 500,000 by default.
 */

const LOCKS = Number(process.env.LOCKS ?? 500_000);
const HELD = Number(process.env.HELD ?? 25_000);
const LIMIT_MB = 256;
/** Memory of collected garbage returns to the system some seconds later. */
const SLACK_MB = 0.15 * LIMIT_MB;

test(`${LOCKS} locks that are used once stay within --memory ${LIMIT_MB}mb`, async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const lockscope = await startLockscopeProcess(redis.url, ['--observe', 'monitor', '--memory', `${LIMIT_MB}mb`]);
  onTestFinished(() => lockscope.stop());
  const took: number[] = [];
  await addManyLocks(redis.port, LOCKS, {
    pauseMs: 10,
    onStep: async (done) => {
      // On a fast machine the load would leave Lockscope behind, and level monitor would end.
      if (done % 1000 === 0)
        await waitFor('Lockscope to follow', async () => ((await lockscope.health()).sources[0]?.lagMs ?? 0) < 100);
      if (done % 10_000 === 0) took.push(rssMb(lockscope.pid));
    },
  });
  const { sources, memory, status } = await lockscope.health();
  console.log(`MB every 10,000 locks: ${took.join(' ')}; ${status}; ${JSON.stringify(memory)}`);
  expect(Math.max(...took)).toBeLessThan(LIMIT_MB + SLACK_MB);
  expect(sources[0]).toMatchObject({ level: 'monitor', drift: 0, rejected: 0 });
});

test(`${HELD} held locks with --memory ${LIMIT_MB}mb: no lock is shown as held after all are deleted`, async () => {
  const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  const lockscope = await startLockscopeProcess(redis.url, ['--observe', 'monitor', '--memory', `${LIMIT_MB}mb`]);
  onTestFinished(() => lockscope.stop());
  const took: number[] = [];
  for (let n = 0; n < HELD; n += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, k) => app.acquire(`held:${n + k}`, { leaseMs: 3_600_000 })));
    if (n % 5000 === 0) took.push(rssMb(lockscope.pid));
  }
  await waitFor('the room of held locks to be full', async (missing) => {
    const { memory, sources } = await lockscope.health();
    const isFull = sources[0]?.unseen.some(({ code }) => code === 'unseen-beyond-memory');
    return (memory?.locksCapped === true && isFull) || missing(JSON.stringify(memory));
  });
  took.push(rssMb(lockscope.pid));
  for (let n = 0; n < HELD; n += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, k) => app.command('DEL', `held:${n + k}`)));
  }
  await waitFor('no lock to be held', async (missing) => {
    const { status, body } = await lockscope.get('/api/locks?held=true&limit=1');
    const { total } = body as { total: number };
    return (status === 200 && total === 0) || missing(`${total} held`);
  });
  const { sources, memory } = await lockscope.health();
  console.log(`MB: ${took.join(' ')}; ${JSON.stringify(memory)}`);
  expect(Math.max(...took)).toBeLessThan(LIMIT_MB + SLACK_MB);
  expect(sources[0]).toMatchObject({ drift: 0, rejected: 0 });
});
