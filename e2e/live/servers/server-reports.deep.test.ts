import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DemoProcess, startDemoProcess } from '../../support/lockscope/demo-process.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

type Facts = { readonly maxMemoryBytes: number | null };

const LOCK = 'orders:reports';
/** How long the script `BUSY` runs, at least. The script reads the time after every 5 million steps. */
const BUSY_MS = 3000;
const BUSY = `local from = redis.call('time')[1] * 1000
  repeat for n = 1, 5000000 do end until redis.call('time')[1] * 1000 - from > ${BUSY_MS} return 1`;

let redis: RunningRedis;
let lockscope: Lockscope | undefined;
let clients: DemoProcess[] = [];

beforeEach(async () => {
  redis = await startRedis();
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.kill()));
  clients = [];
  await lockscope?.stop();
  await redis.stop();
});

/** A client with one thread that has used a lock, so that its scripts are loaded. */
async function lockClient(): Promise<DemoProcess> {
  const client = await startDemoProcess({ name: 'order-svc-1', redisUrl: redis.url, threads: 1, watchdogMs: 60_000 });
  clients.push(client);
  await client.ask({ thread: 1, action: 'lock', lock: LOCK });
  return client;
}

async function watch(level: 'monitor' | 'events'): Promise<void> {
  lockscope = await startLockscopeProcess(redis.url, ['--observe', level]);
  await serverFacts();
}

/**
 * The first wanted report of Redis about itself. The report is read from the recording, because the history has no
 * event with it.
 */
function serverFacts(isWanted: (facts: Facts) => boolean = () => true): Promise<Facts> {
  return waitFor('a report of the server', async (missing) => {
    const answer = await fetch(`${lockscope?.url}/api/recording`);
    const lines = gunzipSync(await answer.arrayBuffer())
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const reported = lines
      .map((line) => JSON.parse(line).server?.facts as Facts | undefined)
      .filter((facts) => facts !== undefined);
    return reported.find(isWanted) ?? missing(`${reported.length} others`);
  });
}

function event<Type extends ReportedEvent['type']>(
  type: Type,
  isWanted: (event: ReportedEvent) => boolean = () => true,
) {
  return waitFor(`the event ${type}`, async (missing) => {
    const reported = (await lockscope?.eventsAfter(0)) ?? [];
    const found = reported.find((each) => each.type === type && isWanted(each));
    return found ?? missing(JSON.stringify(reported.filter((each) => each.type.startsWith('server.'))));
  });
}

describe.each(['monitor', 'events'] as const)('at level %s', (level) => {
  test('[I1] the role and the settings of a server are reported, and reported again when one changes', async () => {
    await watch(level);
    expect(await serverFacts()).toMatchObject({ role: 'master', replicas: 0, maxMemoryBytes: null });
    await redis.command('CONFIG', 'SET', 'maxmemory', '50mb');
    const limited = await serverFacts(({ maxMemoryBytes }) => maxMemoryBytes !== null);
    expect(limited).toMatchObject({ evictionPolicy: 'noeviction' });
    expect((await lockscope?.eventsAfter(0))?.map(({ type }) => type)).not.toContain('server.reported');
  });

  test('[I2] errors of a full server are reported by name', async () => {
    await lockClient();
    await watch(level);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(redis.command('SET', 'a', 'b')).rejects.toThrow('OOM');
    expect(await event('server.refused')).toMatchObject({ lock: '', errors: { OOM: 1 }, rejected: { set: 1 } });
  });

  test('[I4] ACL LOG shows which lock commands a user may not use', async () => {
    await redis.command('ACL', 'SETUSER', 'svc', 'on', 'nopass', '+@all', '~orders:*', 'resetchannels');
    await watch(level);
    await redis.command('AUTH', 'svc', 'x');
    const key = `redisson_unlock_latch:{${LOCK}}:1`;
    await expect(redis.command('GET', key)).rejects.toThrow('NOPERM');
    await expect(redis.command('GET', 'session:1')).rejects.toThrow('NOPERM');
    expect(await event('server.denied')).toMatchObject({
      user: 'svc',
      reason: 'key',
      object: key,
      context: 'toplevel',
    });
    const denied = (await lockscope?.eventsAfter(0))?.filter(({ type }) => type === 'server.denied');
    expect(denied).toHaveLength(1);
  });

  test('[I5] a long script is a standstill, with its command', async () => {
    await lockClient();
    await watch(level);
    await redis.command('CONFIG', 'SET', 'lua-time-limit', '60000'); // after this time, Redis would answer BUSY
    await redis.command('EVAL', BUSY, '0');
    const still = await event('server.stood-still');
    expect(still).toMatchObject({ certainty: 'observed', shownBy: 'slow-log', command: 'EVAL' });
    if (still.type !== 'server.stood-still') throw new Error(still.type);
    expect((still.to - still.from) / 1000).toBeGreaterThan(BUSY_MS * 0.9);
  });
});

test('[I5] a server that refuses all commands with BUSY is still watched, and a standstill is reported', async () => {
  await lockClient();
  await redis.command('CONFIG', 'SET', 'busy-reply-threshold', '500');
  await redis.command('CONFIG', 'SET', 'slowlog-log-slower-than', '-1');
  await watch('monitor');
  await redis.command('EVAL', BUSY, '0');
  expect(await event('server.stood-still')).toMatchObject({ certainty: 'observed', shownBy: 'busy' });
  expect((await lockscope?.health())?.sources[0]).toMatchObject({ level: 'monitor', status: 'observing' });
});
