import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, type ReportedEvent, sourceOf } from '../../support/lockscope/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { untilScanned } from '../../support/lockscope/watched-redis.ts';
import { chanceFrom } from '../../support/random/seeded.ts';
import { type ReplicatedRedis, startReplicated } from '../../support/servers/replicated-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const LEVEL = ['--observe', 'replication'];
const LONG = { leaseMs: 600_000 };
const HOLDS =
  /^(lock\.(acquired|reentered|partially-released|released|force-released|deleted)|lease\.expired|wakeup\.published)$/;

type Running = { stop(): Promise<void> };

async function started<T extends Running>({ onTestFinished }: TestContext, starting: Promise<T>): Promise<T> {
  const running = await starting;
  onTestFinished(() => running.stop());
  return running;
}

async function appAt({ onTestFinished }: TestContext, url: string): Promise<App> {
  const app = await connectApp(url);
  onTestFinished(() => app.close());
  return app;
}

/** A master with a replica, a Lockscope at level `replication` that has looked at every key, and a client. */
async function watched(context: TestContext, flags: readonly string[] = [], settings: Record<string, string> = {}) {
  const redis = await started(context, startReplicated(settings));
  const full = await redis.info('sync_full');
  const lockscope = await started(context, startLockscopeProcess(redis.master.url, [...LEVEL, ...flags]));
  await untilScanned(lockscope);
  const found = [JSON.stringify(await lockscope.health()), await redis.master.command('INFO', 'replication')];
  expect(await redis.info('sync_full'), found.join('\n')).toBe(full); // nothing but the stream was sent
  return { redis, lockscope, app: await appAt(context, redis.master.url) };
}

/** Waits until level `events` replaces level `replication`. Returns the reason. */
async function untilLevelEvents(lockscope: Lockscope) {
  return waitFor('level events', async (missing) => {
    const { level, status, guard } = await sourceOf(lockscope);
    return (level === 'events' && status === 'observing' && guard.problem) || missing(`${level} ${status}`);
  });
}

/** The holds of each lock, in order, as text, once the lock `last` has an event. */
async function stories(lockscope: Lockscope, last: string): Promise<Record<string, string[]>> {
  await waitFor(`the events of ${last}`, async () => (await lockscope.eventsAfter(0, { lock: last })).length > 0);
  const stories: Record<string, string[]> = {};
  for (const event of await lockscope.eventsAfter(0)) {
    if (!HOLDS.test(event.type)) continue;
    const { holder = '', holdCount = '', how } = event as { holder?: string; holdCount?: number; how?: string };
    // Near the end of a lease, on a busy machine, Redis's clock is not known well enough to distinguish a release from
    // an expiry.
    const text = how === 'unknown' ? `lease.expired ${holder} ` : `${event.type} ${holder} ${holdCount}`;
    stories[event.lock] = [...(stories[event.lock] ?? []), text];
  }
  return stories;
}

/** Whether the server sends the ends of leases as instants: since Redis 7. */
async function sendsInstants({ info }: ReplicatedRedis): Promise<boolean> {
  return Number((await info('redis_version')).split('.')[0]) >= 7;
}

/** Returns when a key expires, in ms. Time does not pass within a script. */
const END = `local now = redis.call('time')
return now[1] * 1000 + math.floor(now[2] / 1000) + redis.call('pttl', KEYS[1])`;

const types = (events: readonly ReportedEvent[]) => events.map(({ type }) => type);

/** The id of our link, in CLIENT LIST of the master. */
async function linkOf({ master }: ReplicatedRedis): Promise<string> {
  const list = String(await master.command('CLIENT', 'LIST'));
  const row = list.split('\n').find((line) => / name=lockscope .*flags=S/.test(line));
  const [, id] = /^id=(\d+)/.exec(row ?? '') ?? [];
  if (id === undefined) throw new Error(`no link of ours in ${list}`);
  return id;
}

describe.concurrent('level replication', () => {
  test('shows the same holds as level monitor, in the same order, and leaves nothing behind in Redis', async (context) => {
    const { redis, lockscope, app } = await watched(context);
    const reference = await started(context, startLockscopeProcess(redis.master.url));
    const apps = [app, await appAt(context, redis.master.url), await appAt(context, redis.master.url)];
    const chance = chanceFrom(7);
    const [SHORT, ...LOCKS] = ['runs-out', 'a', 'orders:42', 'ключ'] as const;
    for (let n = 0; n < 300; n++) {
      const client = chance.oneOf(apps);
      const lock = chance.oneOf([SHORT, ...LOCKS]);
      const leaseMs = lock === SHORT ? 30 : LONG.leaseMs;
      await (chance.isTrue(0.5) ? client.acquire(lock, { leaseMs }) : client.release(lock, { leaseMs }));
      // Not the short lease: near its end, a deletion could also be an expiry.
      if (chance.isTrue(0.05)) await app.command('DEL', chance.oneOf(LOCKS));
    }
    await app.command(
      'EVAL',
      "redis.call('publish', 'no-lock', 'x') for n = 1, 3 do redis.call('set', 'k' .. n, n) end",
      '0',
    );
    for (const lock of LOCKS) await app.command('DEL', lock);
    await waitFor('the last short lease to end', async () => Number(await app.command('EXISTS', SHORT)) === 0);
    await app.acquire('last', LONG);
    // Level `monitor` concludes that a lease has ended some time after its end.
    for (const each of [lockscope, reference]) {
      await waitFor('everything to have arrived', async () => (await each.lock('last'))?.held === true);
      await waitFor('the end of the last short lease', async () => (await each.lock(SHORT))?.held === false);
    }
    const [found, expected] = [await stories(lockscope, 'last'), await stories(reference, 'last')];
    // Without instants, a lease counts from the arrival of its command. With a lease of only 30 ms, a release
    // then looks the same as an expiry.
    if (!(await sendsInstants(redis))) for (const each of [found, expected]) delete each[SHORT];
    expect(found).toEqual(expected);
    expect(await sourceOf(lockscope)).toMatchObject({
      level: 'replication',
      status: 'observing',
      drift: 0,
      rejected: 0,
    });

    const history = await redis.info('master_replid');
    expect(await redis.replicaPorts()).toEqual([redis.replica.port, 0]);
    expect((await sourceOf(lockscope)).replicas).toEqual([`127.0.0.1:${redis.replica.port}`]);
    for (const each of [lockscope, reference]) await each.stop();
    await waitFor('our link to be gone', async () => (await redis.replicaPorts()).length === 1);
    expect(String(await app.command('CLIENT', 'LIST'))).not.toContain('name=lockscope');
    expect(await redis.info('master_replid')).toBe(history);
    expect(await redis.info('repl_backlog_active')).toBe('1');
  });

  test('continues at the same place after a cut, without a missed event', async (context) => {
    const { redis, lockscope, app } = await watched(context);
    const full = await redis.info('sync_full');
    for (let cut = 0; cut < 3; cut++) {
      const id = await linkOf(redis);
      // All commands in one pipeline, so that the lock is used while the link is cut.
      const killed = app.command('CLIENT', 'KILL', 'ID', id);
      await Promise.all([
        killed,
        app.acquire('k', LONG),
        app.release('k', LONG),
        app.acquire('k', LONG),
        app.release('k', LONG),
      ]);
      await waitFor('a new link', async () => (await linkOf(redis).catch(() => id)) !== id);
    }
    await app.acquire('last', LONG);
    const reported = (await stories(lockscope, 'last')).k?.map((text) => text.split(' ')[0]);
    expect(reported).toEqual(Array(6).fill(['lock.acquired', 'lock.released', 'wakeup.published']).flat());
    expect(types(await lockscope.eventsAfter(0)).filter((type) => type.startsWith('blind-spot'))).toEqual([]);
    expect(await redis.info('sync_full')).toBe(full);
    // After a fourth cut within a minute Lockscope does not connect again.
    await app.command('CLIENT', 'KILL', 'ID', await linkOf(redis));
    expect(await untilLevelEvents(lockscope)).toMatchObject({ values: { why: 'cuts' } });
  });

  test('begins a blind spot if the backlog has moved on, and requests no full copy', async (context) => {
    const { redis, lockscope, app } = await watched(context, [], { 'repl-backlog-size': '16384' });
    const full = await redis.info('sync_full');
    await app.acquire('kept', LONG);
    await waitFor('the hold', async () => (await lockscope.lock('kept'))?.held === true);
    process.kill(lockscope.pid, 'SIGSTOP');
    try {
      await app.command('CLIENT', 'KILL', 'ID', await linkOf(redis));
      await app.acquire('unseen', LONG);
      await app.release('unseen', LONG);
      for (let n = 0; n < 40; n++) await app.command('SET', 'filler', 'x'.repeat(16_384));
    } finally {
      process.kill(lockscope.pid, 'SIGCONT');
    }
    await waitFor('the end of the blind spot', async () =>
      types(await lockscope.eventsAfter(0)).includes('blind-spot.ended'),
    );
    await app.acquire('seen', LONG);
    await waitFor('the next hold', async () => (await lockscope.lock('seen'))?.held === true);
    expect(await sourceOf(lockscope)).toMatchObject({ level: 'replication', drift: 0 });
    expect((await lockscope.lock('kept'))?.held).toBe(true);
    expect(await lockscope.eventsAfter(0, { lock: 'unseen' })).toEqual([]);
    expect(await redis.info('sync_full')).toBe(full);
  });

  test('is not counted by WAIT, and ends as soon as a client waits for replicas', async (context) => {
    const { redis, lockscope, app } = await watched(context, [], { 'repl-timeout': '6' });
    // Every 2 s the link shows that it is alive.
    const lag = async () => /port=0,.*lag=(\d+)/.exec(String(await app.command('INFO', 'replication')))?.[1];
    await waitFor('a second of silence', async () => Number(await lag()) >= 1);
    await waitFor('a sign of life', async () => (await lag()) === '0');
    await redis.replica.freeze();
    context.onTestFinished(() => redis.replica.thaw());
    await app.command('SET', 'k', 'v');
    expect(await app.command('WAIT', '1', '300')).toBe(0);
    expect(await untilLevelEvents(lockscope)).toMatchObject({
      code: 'replication-unavailable',
      values: { why: 'waits' },
    });
    expect(await redis.replicaPorts()).not.toContain(0); // 0 is our link; the frozen replica may have been dropped too
    const again = await lockscope.post('/api/sources/redis/observe', { level: 'replication' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'replication-unavailable' } } });
  });

  test('does not delay a server that shuts down', async (context) => {
    const { redis, lockscope, app } = await watched(context);
    await app.command('CONFIG', 'SET', 'shutdown-timeout', '3600').catch(() => undefined); // Redis 6 lacks this setting
    await app.command('SHUTDOWN', 'NOSAVE').catch(() => undefined);
    await waitFor('the server to be gone', async () => (await sourceOf(lockscope)).status !== 'observing');
    await expect(connectApp(redis.master.url).then((client) => client.close())).rejects.toThrow();
  });

  test.for([
    ['min-replicas', ['CONFIG', 'SET', 'min-replicas-to-write', '1']],
    ['sentinel', ['PUBLISH', '__sentinel__:hello', '127.0.0.1,26379']],
  ] as const)('ends when it would do harm: %s', async ([why, command], context) => {
    const { redis, lockscope, app } = await watched(context);
    await app.command(...command);
    expect(await untilLevelEvents(lockscope)).toMatchObject({ values: { why } });
    await waitFor('our link to be gone', async () => (await redis.replicaPorts()).length === 1);
  });

  test('shows ends of leases within 2 ms (before Redis 7, within 1 s), and a recording has the same events', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'lockscope-'));
    context.onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'stream.lockscope');
    const { redis, lockscope, app } = await watched(context, ['--record', file]);
    const ends: number[] = [];
    for (const leaseMs of [LONG.leaseMs, 3000]) {
      await app.acquire('k', { leaseMs });
      await app.acquire('k', { leaseMs });
      ends.push(Number(await app.command('EVAL', END, '1', 'k')));
      if (leaseMs !== LONG.leaseMs) continue;
      await app.command('PEXPIRE', 'k', '700000');
      for (let n = 0; n < 2; n++) await app.release('k', { leaseMs });
    }
    const reported = await waitFor('the expiry', async () => {
      const events = await lockscope.eventsAfter(0, { lock: 'k' });
      return types(events).includes('lease.expired') && events;
    });
    const reentered = reported.filter(({ type }) => type === 'lock.reentered') as { expiresAt?: number }[];
    const mostMs = (await sendsInstants(redis)) ? 2 : 1000;
    for (const [n, { expiresAt = 0 }] of reentered.entries()) {
      expect(Math.abs(expiresAt / 1000 - (ends[n] ?? 0))).toBeLessThanOrEqual(mostMs);
    }
    await lockscope.stop();
    const page = await started(context, launchLockscopeProcess('open', [file]));
    const replayed = await waitFor('the recording', async () => {
      const events = await page.eventsAfter(0, { lock: 'k' });
      return events.length >= reported.length && events;
    });
    expect(replayed).toEqual(reported);
    expect((await sourceOf(page)).level).toBe('replication');
  });
});
