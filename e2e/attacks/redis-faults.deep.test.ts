import { connect as connectTcp, createServer, type Server } from 'node:net';
import { describe, type onTestFinished, test } from 'vitest';
import { leadMs } from '../../shared/wire/watched.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { listenAnywhere } from '../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/*
 * Redis closes our connections, dies, comes back with other data, is flushed, and steps its clock.
 * After each fault, the locks that are shown as held are exactly the keys in Redis.
 */

const LEVELS = ['monitor', 'events', 'snapshot'] as const;
const LONG_MS = 600_000;
const HOUR_MS = 3_600_000;

type Finish = typeof onTestFinished;

async function start(level: string, finish: Finish): Promise<{ redis: RunningRedis; app: App; lockscope: Lockscope }> {
  const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  finish(() => redis.stop());
  const app = await connect(redis, finish);
  const lockscope = await startLockscopeProcess(redis.url, ['--observe', level]);
  finish(() => lockscope.stop());
  return { redis, app, lockscope };
}

async function connect(redis: RunningRedis, finish: Finish): Promise<App> {
  const app = await connectApp(redis.url);
  finish(() => app.close());
  return app;
}

/** Names of the locks shown as held, as `db/name`. */
async function shownAsHeld(lockscope: Lockscope): Promise<string[]> {
  return (await lockscope.locks())
    .filter(({ held }) => held)
    .map(({ db, name }) => `${db}/${name}`)
    .sort();
}

async function untilHeld(lockscope: Lockscope, names: readonly string[]): Promise<void> {
  const wanted = JSON.stringify([...names].sort());
  await waitFor(`held: ${wanted}`, async (missing) => {
    const shown = JSON.stringify(await shownAsHeld(lockscope));
    return shown === wanted || missing(`${shown}; ${JSON.stringify((await lockscope.health()).sources)}`);
  });
}

async function keysOf(app: App): Promise<string[]> {
  return ((await app.command('KEYS', '*')) as string[]).map((name) => `0/${name}`); // KEYS replies with a list of names
}

async function killOurConnections(app: App): Promise<void> {
  const list = String(await app.command('CLIENT', 'LIST'));
  const ids = list
    .split('\n')
    .flatMap((row) => (/ name=lockscope /.test(row) ? [/id=(\d+)/.exec(row)?.[1] ?? ''] : []));
  for (const id of ids) await app.command('CLIENT', 'KILL', 'ID', id).catch(() => undefined); // some are closed already
}

describe.concurrent.each(LEVELS)('at level %s', (level) => {
  test('after repeated CLIENT KILL, held locks are correct, and each lost connection is a blind spot with an end', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, lockscope } = await start(level, onTestFinished);
    for (let n = 0; n < 10; n++) await app.acquire(`lock:${n}`, { thread: n, leaseMs: LONG_MS });
    await untilHeld(lockscope, await keysOf(app));
    for (let n = 0; n < 20; n++) {
      await killOurConnections(app);
      const thread = n % 10;
      if (n % 3 === 0) await app.release(`lock:${thread}`, { thread });
      if (n % 3 === 1) await app.acquire(`lock:${thread}`, { thread, leaseMs: LONG_MS });
      await pause(100);
    }
    await untilHeld(lockscope, await keysOf(app));
    const spots = (await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'));
    const began = spots.filter(({ type }) => type === 'blind-spot.began').length;
    expect(began).toBeGreaterThan(0);
    expect(spots.length).toBe(2 * began);
    expect((await lockscope.health()).sources[0]?.drift).toBe(0);
  });

  test('when Redis is killed and comes back with another dataset, only its current locks are held', async ({
    onTestFinished,
  }) => {
    const { redis, app, lockscope } = await start(level, onTestFinished);
    for (let n = 0; n < 5; n++) await app.acquire(`old:${n}`, { leaseMs: LONG_MS });
    await untilHeld(lockscope, await keysOf(app));
    await redis.crash();
    await waitFor('the source to be down', async () => (await lockscope.health()).status === 'down');
    await redis.comeBack();
    const after = await connect(redis, onTestFinished);
    for (let n = 0; n < 5; n++) await after.acquire(`new:${n}`, { leaseMs: LONG_MS });
    await untilHeld(lockscope, await keysOf(after));
  });

  test('FLUSHALL frees all ten locks, and SWAPDB moves a lock to another database', async ({ onTestFinished }) => {
    const { app, lockscope } = await start(level, onTestFinished);
    for (let n = 0; n < 10; n++) await app.acquire(`lock:${n}`, { leaseMs: LONG_MS });
    await untilHeld(lockscope, await keysOf(app));
    await app.command('FLUSHALL');
    await untilHeld(lockscope, []);
    await app.acquire('in-zero', { leaseMs: LONG_MS });
    await untilHeld(lockscope, ['0/in-zero']);
    await app.command('SWAPDB', '0', '1');
    await untilHeld(lockscope, ['1/in-zero']);
  });
});

/**
 * A proxy that shifts every timestamp in the data from Redis, as if Redis's clock had stepped. The real end of a lease
 * does not move, so its TTL gets longer or shorter: `longTtls` shifts replies of six digits too.
 */
async function startShiftingProxy(
  toPort: number,
  finish: Finish,
  { longTtls = false } = {},
): Promise<{ port: number; shiftBy(seconds: number): void }> {
  let shift = 0;
  const proxy: Server = createServer((client) => {
    const server = connectTcp(toPort, '127.0.0.1');
    server.on('data', (data) => {
      const now = Math.floor(Date.now() / 1000);
      const text = data.toString('latin1');
      const shifted = text.replace(new RegExp(`${now}|${now - 1}`, 'g'), (seconds) => `${Number(seconds) + shift}`);
      const changed = longTtls
        ? shifted.replace(/(?<=^|\n):(\d{6})\r/g, (_, ms) => `:${Number(ms) - shift * 1000}\r`)
        : shifted;
      client.write(Buffer.from(shift === 0 ? text : changed, 'latin1'));
    });
    client.pipe(server);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  const port = await listenAnywhere(proxy);
  finish(() => void proxy.close());
  return {
    port,
    shiftBy(seconds) {
      shift = seconds;
    },
  };
}

test.concurrent("if Redis's clock steps forward by an hour and back, the lock stays held", async ({
  expect,
  onTestFinished,
}) => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const proxy = await startShiftingProxy(redis.port, onTestFinished);
  const app = await connect(redis, onTestFinished);
  const lockscope = await startLockscopeProcess(`redis://127.0.0.1:${proxy.port}`);
  onTestFinished(() => lockscope.stop());
  await app.acquire('long', { leaseMs: LONG_MS });
  await untilHeld(lockscope, ['0/long']);
  for (const seconds of [3600, 0]) {
    proxy.shiftBy(seconds);
    const before = (await lockscope.health()).sources[0]?.snapshotAt ?? 0;
    await waitFor('a snapshot by the new clock', async (missing) => {
      const [source] = (await lockscope.health()).sources;
      const moved = ((source?.snapshotAt ?? 0) - before) / 1e6;
      const isBack = Math.abs((source?.clockOffsetMs ?? 0) / 1000 - seconds) < 5;
      return (moved !== 0 && isBack) || missing(JSON.stringify(source));
    });
    expect(await shownAsHeld(lockscope)).toEqual(['0/long']);
  }
});

describe.each(['monitor', 'events'])("at level %s, if Redis's clock is set back by an hour", (level) => {
  test.concurrent('[L12] holds and leases keep their lengths, also once the clock is corrected', async ({
    expect,
    onTestFinished,
  }) => {
    const redis = await startRedis({ 'notify-keyspace-events': 'KEA' });
    onTestFinished(() => redis.stop());
    const proxy = await startShiftingProxy(redis.port, onTestFinished, { longTtls: true });
    const app = await connect(redis, onTestFinished);
    const lockscope = await startLockscopeProcess(`redis://127.0.0.1:${proxy.port}`, ['--observe', level]);
    onTestFinished(() => lockscope.stop());
    await app.acquire('long', { leaseMs: LONG_MS });
    await untilHeld(lockscope, ['0/long']);
    const untilBehind = (ms: number) =>
      waitFor(`a clock that is ${ms} ms behind`, async (missing) => {
        const [source] = (await lockscope.health()).sources;
        const isSeen = source?.status === 'observing' && Math.abs((source.clockBehindMs ?? 0) - ms) < 3000;
        return isSeen || missing(JSON.stringify(source));
      });
    proxy.shiftBy(-3600);
    await untilBehind(HOUR_MS);
    await app.acquire('after', { leaseMs: 30_000 });
    await untilHeld(lockscope, ['0/after', '0/long']);
    await pause(2000);
    await app.release('after');
    await app.acquire('short', { leaseMs: 1500 });
    await untilHeld(lockscope, ['0/long', '0/short']);
    await untilHeld(lockscope, ['0/long']);
    const [after, short, long] = await Promise.all(['after', 'short', 'long'].map((name) => lockscope.lock(name)));
    expect(after?.stats.holdMs.median).toBeGreaterThan(1500);
    expect(after?.stats.holdMs.median).toBeLessThan(60_000);
    expect(short?.stats.holdMs.median).toBeGreaterThan(500);
    expect(short?.stats.holdMs.median).toBeLessThan(60_000);
    const [source] = (await lockscope.health()).sources;
    const leftMs = (long?.lease.expiresAt ?? 0) / 1000 - Date.now() - (source ? leadMs(source) : 0);
    expect(leftMs).toBeLessThan(HOUR_MS + LONG_MS + 1000);
    expect(leftMs).toBeGreaterThan(HOUR_MS + LONG_MS - 120_000);
    const events = await lockscope.eventsAfter(0);
    const reported = (name: string) => events.filter(({ lock }) => lock === name).map(({ type }) => type);
    expect(reported('long')).toEqual(['lock.acquired', 'lock.found']);
    expect(reported('after').slice(0, 2)).toEqual(['lock.acquired', 'lock.released']);
    expect(reported('short')).toEqual(['lock.acquired', 'lease.expired']);
    expect(source?.drift).toBe(0);
    proxy.shiftBy(0);
    await untilBehind(0);
    await app.acquire('after', { leaseMs: 1500 });
    await untilHeld(lockscope, ['0/after', '0/long']);
    await untilHeld(lockscope, ['0/long']);
    const again = (await lockscope.eventsAfter(events.at(-1)?.seq ?? 0)).filter(({ lock }) => lock === 'after');
    const [acquired, expired] = again;
    expect(again.map(({ type }) => type)).toEqual(['lock.acquired', 'lease.expired']);
    expect(((expired?.at ?? 0) - (acquired?.at ?? 0)) / 1000).toBeLessThan(60_000);
  });
});
