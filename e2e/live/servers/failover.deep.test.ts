import { afterEach, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { inShort } from '../../support/lockscope/watched-redis.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { startSentinelTrio } from '../../support/servers/redis-group.ts';
import { waitFor } from '../../support/wait-for.ts';

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const running = await starting;
  undo.push(() => running.stop());
  return running;
}

async function appAt(url: string): Promise<App> {
  const app = await connectApp(url);
  undo.push(() => app.close());
  return app;
}

function eventsOnce(
  lockscope: Lockscope,
  lock: string,
  isMet: (events: ReportedEvent[]) => boolean,
): Promise<ReportedEvent[]> {
  return waitFor(`events of ${lock}`, async (missing) => {
    const events = await lockscope.eventsAfter(0, { lock });
    return isMet(events) ? events : missing(JSON.stringify(inShort(events)));
  });
}

const has = (type: ReportedEvent['type']) => (events: ReportedEvent[]) => events.some((event) => event.type === type);

async function failoversOf(lockscope: Lockscope): Promise<ReportedEvent[]> {
  return (await lockscope.eventsAfter(0)).filter(({ type }) => type === 'failover');
}

describe('behind three Sentinels', () => {
  test('the URL of one of them as a server is reported as a Sentinel, with the form of URL to use, also by a demo', async () => {
    const trio = await started(startSentinelTrio());
    const url = `redis://${trio.sentinels[0]?.node}`;
    const watching = await started(launchLockscopeProcess(url, []));
    const problem = async () => (await watching.health()).sources[0]?.problem;
    await expect.poll(problem).toMatchObject({ code: 'is-sentinel', hint: expect.stringContaining('redis+sentinel:') });
    await expect(launchLockscopeProcess('demo', ['--redis', url])).rejects.toThrow(/is a Sentinel.*redis\+sentinel:/);
  });

  test('Lockscope follows the master, and at both levels it reports what was lost and what was not', async () => {
    const trio = await started(startSentinelTrio());
    const byMonitor = await started(startLockscopeProcess(trio.url));
    const byEvents = await started(
      startLockscopeProcess(trio.url, ['--observe', 'events', '--configure-notifications']),
    );
    const both = [byMonitor, byEvents];
    const [source] = (await byMonitor.health()).sources;
    expect(source).toMatchObject({ id: 'redis', topology: 'sentinel', node: trio.master.node, role: 'master' });
    const a = await appAt(`redis://${trio.master.node}`);
    await a.acquire('kept:1', { leaseMs: 600_000 });
    await a.command('WAIT', '1', '0');
    await a.acquire('released:1', { leaseMs: 600_000 });
    for (const each of both) await eventsOnce(each, 'released:1', has('lock.acquired'));
    await trio.replica.freeze();
    await a.command('CLIENT', 'KILL', 'TYPE', 'replica');
    await a.acquire('lost:1', { leaseMs: 600_000 });
    for (const each of both) await eventsOnce(each, 'lost:1', has('lock.acquired'));
    await trio.expectFailure();
    await trio.master.kill();
    await trio.replica.thaw();
    for (const each of both) {
      const reported = await eventsOnce(each, 'lost:1', has('lock.lost'));
      expect(reported.filter(({ type }) => type === 'lock.lost')).toMatchObject([
        { certainty: 'inferred', reason: 'failover', holder: a.holder() },
      ]);
      expect(await each.lock('lost:1')).toMatchObject({
        held: false,
        node: trio.replica.node,
        holders: [],
        believers: [{ id: a.holder(), mode: 'exclusive' }],
      });
      expect(await failoversOf(each)).toMatchObject([
        { how: 'promoted', from: trio.master.node, to: trio.replica.node },
      ]);
      expect(await each.lock('kept:1')).toMatchObject({ held: true, holders: [{ id: a.holder() }] });
      expect((await each.health()).sources).toMatchObject([{ node: trio.replica.node, status: 'observing', drift: 0 }]);
      const types = (await each.eventsAfter(0)).map(({ type }) => type);
      const at = types.indexOf('failover');
      expect(types.slice(at - 1, at + 2)).toEqual(['blind-spot.began', 'failover', 'blind-spot.ended']);
    }
  });
});

test('a server that returns without its data is a new server: its hold is lost, and the next acquisition is reported once', async () => {
  const redis = await started(startRedis());
  const lockscope = await started(startLockscopeProcess(redis.url));
  const a = await appAt(redis.url);
  await a.acquire('orders:1', { leaseMs: 600_000 });
  await eventsOnce(lockscope, 'orders:1', has('lock.acquired'));
  await redis.crash();
  await redis.comeBack();
  await eventsOnce(lockscope, 'orders:1', has('lock.lost'));
  const b = await appAt(redis.url);
  await b.acquire('orders:1', { leaseMs: 600_000 });
  const events = await eventsOnce(
    lockscope,
    'orders:1',
    (all) => all.filter(({ type }) => type === 'lock.acquired').length === 2,
  );
  expect(inShort(events)).toEqual(['lock.acquired ×1', 'lock.lost restart (inferred)', 'lock.acquired ×1']);
  expect(await failoversOf(lockscope)).toMatchObject([{ how: 'restarted', from: `127.0.0.1:${redis.port}` }]);
  expect(await lockscope.lock('orders:1')).toMatchObject({
    holders: [{ id: b.holder() }],
    believers: [{ id: a.holder(), until: expect.any(Number) }],
  });
});

/** Without this, a replica gets its copy after a delay. */
const AT_ONCE = { 'repl-diskless-sync-delay': '0' };

test('commands that a former master gets by replication are not reported as commands of a client', async () => {
  const [former, next] = [await started(startRedis(AT_ONCE)), await started(startRedis(AT_ONCE))];
  const lockscope = await started(startLockscopeProcess(former.url));
  const replicas = async () => (await lockscope.health()).sources[0]?.replicas;
  await next.command('REPLICAOF', '127.0.0.1', String(former.port));
  await waitFor('the replica', async () => (await replicas())?.length === 1);
  await (await appAt(former.url)).acquire('copied:1', { leaseMs: 600_000 });
  await eventsOnce(lockscope, 'copied:1', has('lock.acquired'));
  await waitFor('the copy', async () => Number(await next.command('EXISTS', 'copied:1')) === 1);
  await next.command('REPLICAOF', 'NO', 'ONE');
  await waitFor('no replica', async () => (await replicas())?.length === 0);
  const app = await appAt(next.url);
  process.kill(lockscope.pid, 'SIGSTOP'); // so that Lockscope cannot ask for the role before it reads the lines
  await former.command('REPLICAOF', '127.0.0.1', String(next.port));
  await waitFor('the link', async () =>
    String(await former.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  for (const ms of ['300000', '200000', '100000']) await app.command('PEXPIRE', 'copied:1', ms);
  await app.command('WAIT', '1', '0');
  process.kill(lockscope.pid, 'SIGCONT');
  await waitFor('a replica', async () => (await lockscope.health()).sources[0]?.role === 'replica');
  const events = await lockscope.eventsAfter(0);
  expect(events.filter(({ by }) => by === `127.0.0.1:${next.port}`)).toEqual([]);
  expect((await lockscope.health()).sources).toMatchObject([{ role: 'replica', drift: 0 }]);
});

test('[X4] if a replica is watched by its own URL, events do not name a client, and MONITOR is refused', async () => {
  const [master, replica]: RunningRedis[] = await Promise.all([
    started(startRedis()),
    started(startRedis({ 'notify-keyspace-events': 'Eghxe' })),
  ]);
  if (!master || !replica) throw new Error('two servers');
  await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
  await waitFor('the copy', async () =>
    String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  const lockscope = await started(startLockscopeProcess(replica.url));
  const [source] = (await lockscope.health()).sources;
  expect(source).toMatchObject({ role: 'replica', level: 'events', guard: { state: 'tripped' } });
  expect(source?.guard.reason).toContain('replica');
  const app = await appAt(master.url);
  await app.acquire('copied:1', { leaseMs: 600_000 });
  await eventsOnce(lockscope, 'copied:1', has('lock.acquired'));
  await app.acquire('copied:1', { leaseMs: 600_000 });
  await eventsOnce(lockscope, 'copied:1', has('lock.reentered'));
  await app.release('copied:1', { leaseMs: 600_000 });
  await app.release('copied:1', { leaseMs: 600_000 });
  const events = await eventsOnce(lockscope, 'copied:1', has('lock.released'));
  expect(
    events.filter(({ certainty, by, type }) => type.startsWith('lock.') && (certainty === 'observed' || by)),
  ).toEqual([]);
  expect(events.filter(({ type }) => /deleted|force|drift/.test(type))).toEqual([]);
  expect((await lockscope.get('/api/health')).body).toMatchObject({ sources: [{ drift: 0 }] });
  const refused = await lockscope.post('/api/sources/redis/observe', { level: 'monitor' });
  expect(refused.body).toMatchObject({ error: { code: 'replica-monitor' } });
});

test('a server that is not a cluster, and a Sentinel that cannot be reached, are reported with the reason', async () => {
  const redis = await started(startRedis());
  const cluster = await started(launchLockscopeProcess(`redis+cluster://127.0.0.1:${redis.port}`, []));
  const none = await started(launchLockscopeProcess('redis+sentinel://:hunter2@127.0.0.1:1/mymaster', []));
  const problemsOf = async (lockscope: Lockscope) =>
    (await lockscope.health()).sources.map(({ id, problem }) => [id, problem?.code]);
  await expect.poll(() => problemsOf(cluster)).toEqual([['redis-1', 'no-cluster']]);
  await expect.poll(() => problemsOf(none)).toEqual([['redis', 'refused']]);
  expect(none.output() + JSON.stringify(await none.health())).not.toContain('hunter2');
});
