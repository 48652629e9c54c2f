import { afterEach, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { type SetLoad, startSetLoad } from '../support/clients/set-load.ts';
import { type Lockscope, sourceOf } from '../support/lockscope/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function redisWith(settings: Record<string, string> = {}): Promise<RunningRedis> {
  const redis = await startRedis(settings);
  endings.push(() => redis.stop());
  return redis;
}

async function watching(url: string, level: string): Promise<Lockscope> {
  const lockscope = await startLockscopeProcess(url, ['--observe', level]);
  endings.push(() => lockscope.stop());
  return lockscope;
}

async function appOf({ url }: RunningRedis): Promise<App> {
  const app = await connectApp(url);
  endings.push(() => app.close());
  return app;
}

function loadOf({ port }: RunningRedis, valueBytes: number, perSecond: number): SetLoad {
  const load = startSetLoad(port, valueBytes, perSecond);
  endings.push(() => load.stop());
  return load;
}

type Source = Awaited<ReturnType<typeof sourceOf>>;

/** The source, once `isMet` returns true for it. */
function sourceUntil(lockscope: Lockscope, what: string, isMet: (source: Source) => boolean): Promise<Source> {
  return waitFor(what, async (missing) => {
    const source = await sourceOf(lockscope);
    return isMet(source) ? source : missing(JSON.stringify(source));
  });
}

const observe = (lockscope: Lockscope, body: object) => lockscope.post('/api/sources/redis/observe', body);

async function infoOf(redis: RunningRedis, field: string): Promise<number> {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(String(await redis.command('INFO', 'everything')))?.[1]);
}

describe('a Redis that does not answer', () => {
  const STALLS: [string, (redis: RunningRedis, app: App) => Promise<() => unknown>][] = [
    [
      'is stopped',
      async (redis) => {
        await redis.freeze();
        return redis.thaw;
      },
    ],
    [
      'runs a script',
      async (_, app) => {
        const busy = `local now = function() local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end
          local began = now() while now() - began < 8000 do end return 1`;
        app.command('EVAL', busy, '0').catch(() => {});
        return () => {};
      },
    ],
  ];

  test.each(['monitor', 'events'].flatMap((level) => STALLS.map(([how, stall]) => ({ level, how, stall }))))(
    'is reported at level $level while Redis $how, and no longer afterwards',
    async ({ level, stall }) => {
      const redis = await redisWith({ 'busy-reply-threshold': '60000', 'notify-keyspace-events': 'Eghxe' });
      const lockscope = await watching(redis.url, level);
      const app = await appOf(redis);
      await app.acquire('before', { leaseMs: 600_000 });
      await waitFor('the lock', async () => (await lockscope.lock('before'))?.held === true);
      const end = await stall(redis, app);
      const first = await sourceUntil(lockscope, 'the silence', ({ problem }) => problem?.code === 'not-answering');
      expect(first.problem?.message).toMatch(/^redis:\S+ (is not answering|has not answered for \d s)\.$/);
      expect((await lockscope.health()).status).toBe('degraded');
      const late = await sourceUntil(lockscope, '2 s of silence', ({ lagMs }) => lagMs > 2000);
      expect(late).toMatchObject({ status: 'observing', problem: { code: 'not-answering' } });
      await end();
      await sourceUntil(lockscope, 'an answer', ({ problem, lagMs }) => problem === undefined && lagMs < 1000);
      expect((await lockscope.lock('before'))?.held).toBe(true);
      expect((await sourceOf(lockscope)).drift).toBe(0);
    },
  );

  test('is reported even before the first connection', async () => {
    const redis = await redisWith();
    await redis.freeze();
    endings.push(redis.thaw);
    const lockscope = await launchLockscopeProcess(redis.url, []);
    endings.push(() => lockscope.stop());
    const source = await sourceUntil(lockscope, 'the silence', ({ problem }) => problem?.code === 'not-answering');
    expect(source.status).toBe('connecting');
    await redis.thaw();
    await sourceUntil(lockscope, 'the connection', ({ status, problem }) => status === 'observing' && !problem);
  });
});

test('level switches without a pause open only a few connections a second, and the last request wins', async () => {
  const redis = await redisWith();
  const lockscope = await watching(redis.url, 'events');
  const before = await infoOf(redis, 'total_connections_received');
  const until = performance.now() + 3000;
  const answers: number[] = [];
  const switching = async (level: string) => {
    while (performance.now() < until) answers.push((await observe(lockscope, { level })).status);
  };
  await Promise.all(['monitor', 'events', 'snapshot', 'monitor'].map(switching));
  const seconds = Math.ceil((performance.now() - until + 3000) / 1000);
  const { body } = await observe(lockscope, { level: 'snapshot' });
  const source = (body as { source: Source }).source;
  expect(source.nextLevel ?? source.level).toBe('snapshot');
  await sourceUntil(
    lockscope,
    'the last request',
    ({ level, status }) => level === 'snapshot' && status === 'observing',
  );
  await pause(1100); // no older request is applied after it
  expect(await sourceOf(lockscope)).toMatchObject({ level: 'snapshot', status: 'observing' });
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(answers.length).toBeGreaterThan(10);
  // One switch a second takes two connections. Checking whether MONITOR is permitted takes one in 5 s.
  expect((await infoOf(redis, 'total_connections_received')) - before).toBeLessThanOrEqual(2 * (seconds + 2) + 2);
});

describe('the cost of MONITOR', () => {
  test('is known before MONITOR is switched on, refused above the budget with its figures, and accepted if forced', async () => {
    const redis = await redisWith();
    const lockscope = await watching(redis.url, 'events');
    loadOf(redis, 20_000, 400); // 8 MB/s
    const { monitor } = await sourceUntil(
      lockscope,
      'the price',
      (source) => (source.monitor?.costShare ?? 0) > 0.3 && source.monitor?.redisCpuShare !== null,
    );
    expect(monitor).toMatchObject({ basis: 'estimated', outputLimitBytes: 33_554_432 });
    expect(monitor?.inputBytesPerSecond).toBeGreaterThan(4_000_000);
    const refused = await observe(lockscope, { level: 'monitor' });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: { code: 'over-budget', message: expect.stringMatching(/^MONITOR would take about \d+ % of a core/) },
      },
    });
    expect((refused.body as { error: { values: { costShare: number } } }).error.values.costShare).toBeGreaterThan(0.25);
    expect((await observe(lockscope, { level: 'monitor', force: true, forMs: 300_000 })).status).toBe(200);
    const on = await sourceUntil(
      lockscope,
      'the figures at level monitor',
      ({ level, status, monitor }) => level === 'monitor' && status === 'observing' && monitor?.before !== undefined,
    );
    expect(on.levelUntil).toBeGreaterThan(Date.now() * 1000);
    expect(on.monitor?.before?.opsPerSecond).toBeGreaterThan(0);
  });

  test('makes --observe monitor begin at level events on a busy Redis, with the reason, and switch up when it is affordable', async () => {
    const redis = await redisWith();
    const load = loadOf(redis, 20_000, 400);
    await waitFor('traffic', async () => (await infoOf(redis, 'instantaneous_ops_per_sec')) > 200);
    const lockscope = await watching(redis.url, 'monitor');
    const source = await sourceOf(lockscope);
    expect(source.level).toBe('events');
    expect(source.guard).toMatchObject({
      state: 'tripped',
      reason: expect.stringMatching(/^MONITOR would take about/),
    });
    load.stop();
    const later = await sourceUntil(lockscope, 'level monitor', ({ level }) => level === 'monitor');
    expect(later.guard.state).toBe('ok');
  });

  test('ends MONITOR if it rises above the budget, and is reported as the reason', async () => {
    const redis = await redisWith();
    const lockscope = await watching(redis.url, 'monitor');
    expect((await sourceOf(lockscope)).level).toBe('monitor');
    loadOf(redis, 20_000, 250); // a load so small that no output waits in Redis, even on a busy machine
    const { level, guard } = await sourceUntil(lockscope, 'the guard', ({ guard }) => guard.state === 'tripped');
    expect(level).toBe('events');
    expect(guard.reason).toMatch(/^MONITOR took about \d+ % of a core of Redis/);
  });
});

describe('a network that is too slow for MONITOR', () => {
  const NO_CLIENT_LIST =
    '~* resetchannels &* +@read +@transaction +time +info +pubsub +acl|whoami +psubscribe +subscribe +config|get +monitor ' +
    '+publish +hello +select +echo +ping +auth +client|setname +client|id';

  test.each([
    ['with all rights', undefined],
    ['without the right to CLIENT LIST', NO_CLIENT_LIST],
  ])('%s: at most one connection is lost, then the level is events, and stays events', async (_, acl) => {
    const redis = await redisWith();
    if (acl) await redis.command('ACL', 'SETUSER', 'watcher', 'on', '>pw', ...acl.split(' '));
    const proxy: CuttingProxy = await startCuttingProxy(redis.port);
    endings.push(() => proxy.close());
    const lockscope = await watching(`redis://${acl ? 'watcher:pw@' : ''}127.0.0.1:${proxy.port}`, 'events');
    await observe(lockscope, { level: 'monitor', force: true }); // CPU costs are accepted, so only the network counts
    await sourceUntil(lockscope, 'monitor', ({ level, status }) => level === 'monitor' && status === 'observing');
    proxy.limitRate(1_000_000);
    const before = await infoOf(redis, 'total_connections_received');
    loadOf(redis, 2000, 3000); // 6 MB/s
    const { level, guard } = await sourceUntil(lockscope, 'the guard', ({ guard }) => guard.state === 'tripped');
    expect(level).toBe('events');
    expect(guard.reason).toMatch(/MB of MONITOR output waited|s behind Redis|full output buffer/);
    await pause(5000);
    expect(await sourceOf(lockscope)).toMatchObject({ level: 'events', guard: { state: 'tripped' } });
    expect((await sourceOf(lockscope)).monitor?.cuts).toBeLessThanOrEqual(1);
    // the load has one of these connections
    expect((await infoOf(redis, 'total_connections_received')) - before).toBeLessThanOrEqual(6);
  });
});

describe('MONITOR ends', () => {
  const MINUTES = 60_000_000;

  test('after 5 minutes, unless another time or no end is requested', async () => {
    const redis = await redisWith();
    const lockscope = await watching(redis.url, 'events');
    const endOf = async (body: object) => {
      const answer = await observe(lockscope, body);
      expect(answer.status).toBe(200);
      return (answer.body as { source: Source }).source.levelUntil;
    };
    const endsAt = (await endOf({ level: 'monitor' })) ?? 0;
    expect(endsAt / 1000 - Date.now()).toBeGreaterThan(4 * 60_000);
    expect(endsAt / 1000 - Date.now()).toBeLessThanOrEqual(5 * 60_000 + 1000);
    expect(await endOf({ level: 'monitor', openEnded: true })).toBeNull();
    expect(await endOf({ level: 'monitor', forMs: 60_000 })).toBeLessThan(Date.now() * 1000 + 2 * MINUTES);
    const both = await observe(lockscope, { level: 'monitor', forMs: 60_000, openEnded: true });
    expect(both).toMatchObject({ status: 400, body: { error: { field: 'openEnded' } } });
  });

  test.each([
    ['without an output limit', { 'client-output-buffer-limit': 'pubsub 0 0 0' }, undefined],
    ['whose output limit cannot be read', {}, 'on >pw ~* &* +@all -config'],
  ])('on a server %s, after 5 minutes at the latest, even if a later end is forced', async (_, settings, acl) => {
    const redis = await redisWith(settings);
    if (acl) await redis.command('ACL', 'SETUSER', 'watcher', ...acl.split(' '));
    const lockscope = await watching(`redis://${acl ? 'watcher:pw@' : ''}127.0.0.1:${redis.port}`, 'monitor');
    const { level, levelUntil, monitor } = await sourceOf(lockscope);
    expect({ level, limit: monitor?.outputLimitBytes }).toEqual({ level: 'monitor', limit: acl ? null : 0 });
    expect(levelUntil).toBeLessThanOrEqual((Date.now() + 5 * 60_000 + 1000) * 1000);
    for (const body of [{ openEnded: true }, { forMs: 3_600_000 }, { openEnded: true, force: true }]) {
      const refused = await observe(lockscope, { level: 'monitor', ...body });
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'no-output-limit' } } });
    }
    expect((await observe(lockscope, { level: 'monitor', forMs: 60_000 })).status).toBe(200);
  });
});
