import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { patientClient } from '../../support/lockscope/patient-client.ts';
import { inShort } from '../../support/lockscope/watched-redis.ts';
import { type Cluster, type Member, startCluster } from '../../support/servers/redis-group.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('a cluster of three masters with one replica each', () => {
  let cluster: Cluster;
  let lockscope: Lockscope;
  /** A second Lockscope, at level `events`. */
  let byEvents: Lockscope;
  const apps: App[] = [];
  /** Whether the servers have sharded messages, as Redis 7 and later do. */
  let isSharded: boolean;

  /**
   * Sets how long a master may be silent before it has failed. On a busy machine, any master may be silent for a while.
   */
  async function failsAfter(ms: number, gone?: Member): Promise<void> {
    const members = [...cluster.masters, ...cluster.replicas].filter((each) => each !== gone);
    for (const { command } of members) await command('CONFIG', 'SET', 'cluster-node-timeout', String(ms));
  }

  beforeAll(async () => {
    cluster = await startCluster();
    await failsAfter(15_000);
    const [first] = cluster.masters;
    isSharded = !((await first?.command('PUBSUB', 'SHARDNUMSUB').catch((error: unknown) => error)) instanceof Error);
    [lockscope, byEvents] = await Promise.all([
      startLockscopeProcess(cluster.url),
      startLockscopeProcess(cluster.url, ['--observe', 'events', '--configure-notifications']),
    ]);
    await sourcesOnce((sources) => sources.length === 3 && sources.every(({ status }) => status === 'observing'));
  }, 120_000);
  afterAll(async () => {
    for (const app of apps) await app.close();
    await lockscope?.stop();
    await byEvents?.stop();
    await cluster?.stop();
  });

  /** An application's connection to the master that serves a lock now. */
  async function appOf(lock: string): Promise<App> {
    return appAt(await cluster.memberOf(lock));
  }

  async function appAt({ node }: Member): Promise<App> {
    const app = await connectApp(`redis://${node}`);
    apps.push(app);
    return app;
  }

  type Sources = Awaited<ReturnType<Lockscope['health']>>['sources'];

  function sourcesOnce(isMet: (sources: Sources) => boolean): Promise<Sources> {
    return waitFor('the sources', async (missing) => {
      const { sources } = await lockscope.health();
      return isMet(sources) ? sources : missing(JSON.stringify(sources));
    });
  }

  function eventsOnce(
    lock: string,
    isMet: (events: ReportedEvent[]) => boolean,
    from: Lockscope = lockscope,
  ): Promise<ReportedEvent[]> {
    return waitFor(`events of ${lock}`, async (missing) => {
      const events = await from.eventsAfter(0, { lock });
      return isMet(events) ? events : missing(JSON.stringify(inShort(events)));
    });
  }

  const has =
    (type: ReportedEvent['type'], count = 1) =>
    (events: ReportedEvent[]) =>
      events.filter((event) => event.type === type).length >= count;

  test('each master is a source, with its replicas and slots', async () => {
    const sources = await sourcesOnce((all) => all.every(({ replicas }) => replicas?.length === 1));
    expect(sources.map(({ id }) => id)).toEqual(['redis-1', 'redis-2', 'redis-3']);
    expect(sources.map(({ node }) => node)).toEqual(cluster.masters.map(({ node }) => node));
    expect(sources.map(({ replicas }) => replicas)).toEqual(cluster.replicas.map(({ node }) => [node]));
    expect(sources.every(({ topology, role }) => topology === 'cluster' && role === 'master')).toBe(true);
    expect(sources.flatMap(({ slots }) => slots ?? [])).toEqual([
      [0, 5461],
      [5462, 10922],
      [10923, 16383],
    ]);
  });

  test('a lock has the server and the slot that the cluster assigns', async () => {
    for (const lock of ['orders:42', 'pay{7}ments', '库存', 'a', 'b', 'c']) {
      const member = await cluster.memberOf(lock);
      const app = await appAt(member);
      await app.acquire(lock);
      await eventsOnce(lock, has('lock.acquired'));
      const slot = await member.command('CLUSTER', 'KEYSLOT', lock);
      expect(await lockscope.lock(lock)).toMatchObject({ held: true, node: member.node, slot });
    }
    const { sources } = await lockscope.health();
    expect(new Set((await lockscope.locks()).map(({ source }) => source)).size).toBe(3);
    expect(sources.map(({ drift, rejected }) => [drift, rejected])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test('a waiter on sharded messages is reported once when it listens, once when it wakes and once when it leaves', async ({
    skip,
  }) => {
    skip(!isSharded);
    const lock = 'wanted:1';
    const [holder, waiter] = [await appOf(lock), await appOf(lock)];
    const listener = patientClient({ url: `redis://${(await cluster.memberOf(lock)).node}` });
    await listener.connect();
    const channel = `redisson_lock__channel:{${lock}}`;
    await holder.acquire(lock);
    await waiter.acquire(lock);
    await listener.sSubscribe(channel, () => undefined);
    await waiter.acquire(lock);
    await holder.command('EVAL', releaseBy(isSharded), '2', lock, channel, '0', '60000', holder.holder());
    await waiter.acquire(lock);
    await listener.sUnsubscribe(channel);
    listener.destroy();
    const events = await eventsOnce(lock, has('waiter.unsubscribed'));
    expect(inShort(events)).toEqual([
      'lock.acquired ×1',
      'lock.refused',
      'waiter.subscribed',
      'lock.refused',
      'lock.released ×0',
      'wakeup.published',
      'lock.acquired ×1',
      'waiter.unsubscribed',
    ]);
  });

  test('[K2] a key that disappears without a message is reported as released, which is inferred', async ({ skip }) => {
    skip(!isSharded);
    const lock = 'quiet:1';
    const app = await appOf(lock);
    await app.acquire(lock);
    await eventsOnce(lock, has('lock.acquired'), byEvents);
    const channel = `redisson_lock__channel:{${lock}}`;
    await app.command('EVAL', releaseBy(isSharded), '2', lock, channel, '0', '60000', app.holder());
    const events = await eventsOnce(lock, has('lock.released'), byEvents);
    expect(inShort(events)).toEqual(['lock.acquired ×1 (inferred)', 'lock.released ×0 (inferred)']);
    const [source] = (await byEvents.health()).sources;
    expect(source?.unseen.map(({ code }) => code)).toContain('unseen-wake-ups');
  });

  test('[X5] a lock in a slot that moves is reported as moved, not lost, and is still held', async () => {
    const lock = 'moving:7';
    const from = await cluster.memberOf(lock);
    const app = await appAt(from);
    await app.acquire(lock, { leaseMs: 600_000 });
    const [acquired] = await eventsOnce(lock, has('lock.acquired'));
    await eventsOnce(lock, has('lock.acquired'), byEvents);
    const to = await cluster.join();
    await moveSlot(lock, from, to);
    await sourcesOnce((sources) => sources.some(({ id, node }) => id === 'redis-4' && node === to.node));
    const events = await eventsOnce(lock, (all) => has('lock.moved')(all) && has('lock.found')(all));
    expect(inShort(events.filter(({ source }) => source !== 'redis-4'))).toEqual([
      'lock.acquired ×1',
      'lock.moved (inferred)',
    ]);
    expect(events.find(({ type }) => type === 'lock.moved')).toMatchObject({ to: to.node, holders: [app.holder()] });
    const quiet = await eventsOnce(lock, (all) => has('lock.moved')(all) && has('lock.found')(all), byEvents);
    expect(inShort(quiet).sort()).toEqual(['lock.acquired ×1 (inferred)', 'lock.found', 'lock.moved (inferred)']);
    const there = (await lockscope.locks()).filter(({ name, held }) => name === lock && held);
    expect(there).toMatchObject([
      { source: 'redis-4', node: to.node, holders: [{ id: app.holder(), holdCount: 1, since: acquired?.at }] },
    ]);
    const moved = await appAt(to);
    const channel = `redisson_lock__channel:{${lock}}`;
    await moved.command('EVAL', releaseBy(isSharded), '2', lock, channel, '0', '60000', app.holder());
    await eventsOnce(lock, has('lock.released'));
    await moveSlot(lock, to, from);
    await sourcesOnce((sources) => sources.length === 3);
    expect((await lockscope.locks()).filter(({ source }) => source === 'redis-4')).toEqual([]);
    expect(inShort(events).filter((reported) => /deleted|lost|force|drift/.test(reported))).toEqual([]);
  });

  test('[X2] a manual failover does not lose a lock: the replica has it, and the source continues there', async () => {
    const lock = '{b}:planned';
    const master = await cluster.memberOf(lock);
    const replica = cluster.replicas[cluster.masters.indexOf(master)];
    if (!replica) throw new Error('a master without a copy');
    const app = await appAt(master);
    await app.acquire(lock, { leaseMs: 600_000 });
    for (const each of [lockscope, byEvents]) await eventsOnce(lock, has('lock.acquired'), each);
    await app.command('WAIT', '1', '0');
    await replica.command('CLUSTER', 'FAILOVER');
    const source = (await lockscope.lock(lock))?.source;
    await sourcesOnce((all) =>
      all.some(({ id, node, status }) => id === source && node === replica.node && status === 'observing'),
    );
    const isKept = (event: ReportedEvent) => event.type === 'lock.found' && event.isKept === true;
    for (const each of [lockscope, byEvents]) {
      const events = await eventsOnce(lock, (all) => all.some(isKept), each);
      expect(events.filter(({ type }) => /lost|drift|released/.test(type))).toEqual([]);
    }
    expect(await lockscope.lock(lock)).toMatchObject({ node: replica.node, holders: [{ id: app.holder() }] });
    await sourcesOnce((all) =>
      all.some(({ id, replicas }) => id === source && replicas?.includes(master.node) === true),
    );
  });

  test('[X2] if a master dies before it replicated a lock, the lock is lost, and another client acquires it', async () => {
    const [lock, kept] = ['billing:close', 'billing:{billing:close}:kept'];
    const master = await cluster.memberOf(lock);
    const place = cluster.masters.findIndex(({ node }) => node === master.node);
    const replica = cluster.replicas[place];
    if (!replica) throw new Error('a master without a copy');
    const a = await appAt(master);
    await a.acquire(kept, { leaseMs: 600_000 });
    await a.command('WAIT', '1', '0');
    await eventsOnce(kept, has('lock.acquired'));
    await replica.command('CONFIG', 'SET', 'cluster-replica-no-failover', 'no');
    await replica.freeze();
    await a.command('CLIENT', 'KILL', 'TYPE', 'replica');
    await a.acquire(lock, { leaseMs: 600_000 });
    await eventsOnce(lock, has('lock.acquired'));
    await master.kill();
    await replica.thaw();
    await failsAfter(1000, master);
    const source = (await lockscope.lock(lock))?.source ?? '';
    await sourcesOnce((all) =>
      all.some(({ id, node, status }) => id === source && node === replica.node && status === 'observing'),
    );
    await eventsOnce(lock, has('lock.lost'));
    await failsAfter(15_000, master);
    const b = await appAt(replica);
    await b.acquire(lock, { leaseMs: 600_000 });
    const events = await eventsOnce(lock, has('lock.acquired', 2));
    expect(inShort(events)).toEqual(['lock.acquired ×1', 'lock.lost failover (inferred)', 'lock.acquired ×1']);
    expect(await lockscope.lock(lock)).toMatchObject({
      node: replica.node,
      holders: [{ id: b.holder() }],
      believers: [{ id: a.holder() }],
    });
    expect(await lockscope.lock(kept)).toMatchObject({ held: true, holders: [{ id: a.holder() }] });
    const failovers = (await lockscope.eventsAfter(0)).filter(
      (event) => event.type === 'failover' && event.source === source,
    );
    expect(failovers).toMatchObject([{ source, how: 'promoted', from: master.node, to: replica.node, lock: '' }]);
    await b.command('EVAL', releaseBy(isSharded), '2', lock, `redisson_lock__channel:{${lock}}`, '0', '1', a.holder());
    await eventsOnce(lock, has('unlock.refused'));
    expect(await lockscope.lock(lock)).not.toHaveProperty('believers'); // the client learned about the loss
    const { sources } = await lockscope.health();
    expect(sources.map(({ id, drift }) => [id, drift])).toEqual([
      ['redis-1', 0],
      ['redis-2', 0],
      ['redis-3', 0],
    ]);
  });

  async function moveSlot(lock: string, from: Member, to: Member): Promise<void> {
    const slot = String(await from.command('CLUSTER', 'KEYSLOT', lock));
    const [source, target] = [
      String(await from.command('CLUSTER', 'MYID')),
      String(await to.command('CLUSTER', 'MYID')),
    ];
    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source);
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
    await from.command('MIGRATE', '127.0.0.1', String(to.port), lock, '0', '5000');
    await to.command('CLUSTER', 'SETSLOT', slot, 'NODE', target);
    // the old master may be a replica by now
    await from.command('CLUSTER', 'SETSLOT', slot, 'NODE', target).catch(() => undefined);
  }
});

/** Releases as Redisson does: with SPUBLISH if the server has sharded messages. */
const releaseBy = (isSharded: boolean) => `if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end
redis.call('del', KEYS[1]) redis.call('${isSharded ? 'SPUBLISH' : 'PUBLISH'}', KEYS[2], ARGV[1]) return 1`;
