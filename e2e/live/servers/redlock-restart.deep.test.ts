import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { withoutPause } from '../../support/clients/without-pause.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { insightsAfterLosses } from '../../support/lost-holds.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let servers: RunningRedis[];
let lockscopes: Lockscope[];

beforeAll(async () => {
  const settings = { 'notify-keyspace-events': 'KA' };
  servers = await Promise.all([startRedis(settings), startRedis(settings), startRedis(settings)]);
  const [first = '', ...others] = servers.map(({ url }) => url);
  lockscopes = await Promise.all(
    ['monitor', 'events'].map((level) => startLockscopeProcess(first, [...others, '--observe', level])),
  );
});

afterAll(async () => {
  await Promise.all((lockscopes ?? []).map((lockscope) => lockscope.stop()));
  await Promise.all((servers ?? []).map((server) => server.stop()));
});

test('a RedLock whose servers restart empty is reported once it has no majority, and not before', async () => {
  const apps = await Promise.all(servers.map(({ url }) => connectApp(url)));
  await acquireTogether(apps);
  await restart(0);
  for (const lockscope of lockscopes) {
    const seen = await insightsAfterLosses(lockscope, 1);
    expect(seen.filter(({ incident }) => incident === 'redlock-node-restart')).toEqual([]);
  }
  await restart(1);
  for (const lockscope of lockscopes) {
    const seen = await insightsAfterLosses(lockscope, 2);
    expect(seen.filter(({ incident }) => incident === 'redlock-node-restart')).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', lock: 'pay', holders: [apps[2]?.holder(62)] },
        values: { servers: 3, left: 1, heldBy: null },
      },
    ]);
  }
  await Promise.all(apps.map((app) => app.close()));
});

/** Acquires the lock on all servers in one operation. */
async function acquireTogether(apps: readonly App[]): Promise<void> {
  await withoutPause(async (nth) => {
    if (nth > 1) {
      await Promise.all(apps.map((app) => app.release('pay', { thread: 62 })));
      await Promise.all(lockscopes.map((each) => holdsIn(each, 0)));
    }
    const before = await Promise.all(lockscopes.map((each) => each.newestSeq()));
    await Promise.all(apps.map((app) => app.acquire('pay', { thread: 62, leaseMs: 600_000 })));
    await Promise.all(lockscopes.map((each) => holdsIn(each, 3)));
    return Promise.all(lockscopes.map((each, n) => each.eventsAfter(before[n] ?? 0, { type: 'lock.acquired' })));
  });
  for (const lockscope of lockscopes) {
    const groups = new Set((await holdsIn(lockscope, 3)).map(({ group }) => group));
    expect([...groups]).toEqual([expect.any(String)]);
  }
}

/** The holders of the lock on all servers, once there are `count` of them. */
function holdsIn(lockscope: Lockscope, count: number) {
  return waitFor(`${count} holds`, async () => {
    const all = (await lockscope.locks()).flatMap(({ holders }) => holders);
    return all.length === count && all;
  });
}

async function restart(n: number): Promise<void> {
  await servers[n]?.crash();
  await servers[n]?.comeBack();
}
