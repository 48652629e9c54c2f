import { afterAll, beforeAll, expect, test } from 'vitest';
import { insightsBody } from '../../shared/wire/insight.ts';
import { connectApp } from '../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../support/clients/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

let servers: RunningRedis[];
let lockscopes: Lockscope[];

beforeAll(async () => {
  const settings = { 'notify-keyspace-events': 'KA' };
  servers = await Promise.all([startRedis(settings), startRedis(settings), startRedis(settings)]);
  const [first = '', ...others] = servers.map(({ url }) => url);
  lockscopes = await Promise.all(
    ['monitor', 'events'].map((level) => startLockscope(first, [...others, '--observe', level])),
  );
});

afterAll(async () => {
  await Promise.all((lockscopes ?? []).map((lockscope) => lockscope.stop()));
  await Promise.all((servers ?? []).map((server) => server.stop()));
});

test('a RedLock whose servers restart empty is reported once it has no majority, and not before', async () => {
  const apps = await Promise.all(servers.map(({ url }) => connectApp(url)));
  for (const app of apps) await app.acquire('pay', { thread: 62 });
  for (const lockscope of lockscopes) {
    await waitFor('the RedLock', async () => {
      const held = (await lockscope.locks()).filter(({ holders }) => holders[0]?.group !== undefined);
      return held.length === 3;
    });
  }
  await restart(0);
  for (const lockscope of lockscopes) {
    const seen = await incidentsAfterLosses(lockscope, 1);
    expect(seen.filter(({ incident }) => incident === 'redlock-node-restart')).toEqual([]);
  }
  await restart(1);
  for (const lockscope of lockscopes) {
    const seen = await incidentsAfterLosses(lockscope, 2);
    expect(seen.filter(({ incident }) => incident === 'redlock-node-restart')).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', lock: 'pay', holders: [apps[2]?.holder(62)] },
        values: { servers: 3, left: 1, heldBy: null },
      },
    ]);
  }
  await Promise.all(apps.map((app) => app.close()));
});

async function restart(n: number): Promise<void> {
  await servers[n]?.crash();
  await servers[n]?.comeBack();
}

/** The insights once that many members were lost in restarts. A loss counts while its client is connected; one does no harm. */
async function incidentsAfterLosses(lockscope: Lockscope, losses: number) {
  const connected = async () =>
    (await lockscope.locks()).flatMap(({ believers = [] }) => believers).filter(({ presence }) => presence !== 'gone');
  return waitFor(`${losses} lost holds`, async (missing) => {
    const before = await connected();
    const { at, insights, cannotTell } = insightsBody.parse((await lockscope.get('/api/insights')).body);
    const after = await connected();
    // an answer may be a second old
    const isOld = before.some(({ lostAt }) => lostAt >= at);
    if (before.length !== losses || after.length !== losses || isOld || cannotTell.some(isUnwatched)) {
      return missing(JSON.stringify({ at, before, after, cannotTell }));
    }
    const reported = insights.filter(({ incident }) => incident === 'failover-lock-lost');
    expect(reported).toHaveLength(losses === 1 ? 0 : losses);
    return insights;
  });
}

function isUnwatched({ reason }: { readonly reason: string }): boolean {
  return reason === 'unwatched';
}
