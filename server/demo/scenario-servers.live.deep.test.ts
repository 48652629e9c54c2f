import { afterEach, expect, test } from 'vitest';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import type { DemoStage } from './demo-stage.ts';
import { ScenarioServers } from './scenario-servers.ts';
import { startDemoStage } from './stage.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function connect(url: string): Promise<CommandConnection> {
  const connection = openCommandConnection({ url });
  endings.push(async () => connection.close());
  await connection.whenReady(60_000);
  return connection;
}

test('a replica has its master’s data, gets no writes once it is cut off, and takes over at the same address', async () => {
  const watched: string[] = [];
  const servers = await ScenarioServers.start(
    [{ name: 'Redis 1' }, { name: 'Redis 2', copyOf: 1 }],
    {
      watch: async ({ id, url }) => void watched.push(`${id} ${url}`),
      unwatch: async (id) => void watched.push(`not ${id}`),
      noteEnded: (id) => void watched.push(`${id} is ended`),
    },
    { args: [] },
  );
  endings.push(() => servers.close(false));
  const client = await connect(servers.urlOf(1));
  const copy = await connect(servers.urlOf(2));
  await client.call('SET', 'before', '1');
  await expect.poll(() => copy.call('GET', 'before')).toBe('1');
  await servers.cutLink(2);
  await client.call('SET', 'after', '1');
  await servers.kill(1);
  await expect.poll(() => client.isReady()).toBe(false);
  await servers.promote(2);
  await servers.follow(2);
  await client.whenReady(60_000);
  expect([await client.call('GET', 'before'), await client.call('GET', 'after')]).toEqual(['1', null]);
  await client.call('SET', 'now', '1');
  expect(await copy.call('GET', 'now')).toBe('1');
  expect(servers.view()).toEqual([
    { source: 'redis-1', name: 'Redis 1' },
    { source: 'redis-1', name: 'Redis 2', copyOf: 'Redis 1' },
  ]);
  expect(watched).toHaveLength(2);
  expect(watched[1]).toBe(`redis-1 ${servers.urlOf(2)}`);
  await servers.close(true);
  expect(watched[2]).toBe('not redis-1');
  await expect.poll(() => [client.isReady(), copy.isReady()]).toEqual([false, false]);
});

test('if a scenario is stopped in the middle, its servers end, and the next scenario starts', async () => {
  const stage: DemoStage = await startDemoStage();
  endings.push(() => stage.close());
  const urls: string[] = [];
  const watched = new Set<string>();
  const ended: string[] = [];
  stage.attach?.({
    watch: async ({ id, url }) => {
      urls.push(url);
      watched.add(id);
    },
    unwatch: async (id) => void watched.delete(id),
    noteEnded: (id) => void ended.push(id),
  });
  await stage.startScenario('redlock');
  await expect.poll(() => stage.view().step).toBeGreaterThanOrEqual(2);
  expect([...watched].sort()).toEqual(['redis-1', 'redis-2', 'redis-3']);
  expect(ended).toEqual(['redis-2']);
  expect(stage.view().servers?.map(({ name }) => name)).toEqual(['Redis 1', 'Redis 2', 'Redis 3']);
  expect(stage.view().serverFaults?.map(({ server, name }) => `${server} ${name}`)).toEqual(['Redis 2 killed']);
  const connections = await Promise.all([urls[0], urls[2]].map((url) => connect(url ?? '')));
  await stage.stopScenario();
  expect(watched.size).toBe(0);
  await expect.poll(() => connections.map((connection) => connection.isReady())).toEqual([false, false]);
  await stage.startScenario('reentrancy');
  await expect.poll(() => stage.view().step).toBeGreaterThanOrEqual(1);
  expect(stage.view().servers).toBeUndefined();
});
