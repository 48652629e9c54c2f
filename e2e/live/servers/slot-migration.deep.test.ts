import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterApp, connectClusterApp } from '../../support/clients/cluster-app.ts';
import { differencesFromRedis, waitUntilSame } from '../../support/compare/world-checks.ts';
import { type DemoProcess, type Order, startDemoProcess } from '../../support/lockscope/demo-process.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { inShort } from '../../support/lockscope/watched-redis.ts';
import { EVERY_KIND, isCounting, type RandomLock } from '../../support/random/random-lock.ts';
import { moveSlotAtOnce, shardsOf } from '../../support/servers/cluster-changes.ts';
import { type ClusterRouter, startClusterRouter } from '../../support/servers/cluster-router.ts';
import { type Cluster, type Member, startCluster } from '../../support/servers/redis-group.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

const LEVELS = ['monitor', 'events'] as const;
/** So short that leases end before the slots have moved through all servers, unless the watchdog renews them. */
const WATCHDOG_MS = 6000;
const ROUNDS = 3;
const MOVES = 12;
const CLIENTS = 4;
/** Ends that must not be reported: no lock ends in these ways here. */
const FALSE_ENDS = /lost|expired|deleted|evicted|force|drift|flushed/;

/*
 * Redis since 8.4 and Valkey since 9.0 move a slot in one step, older servers key by key. `REDIS_SERVER` chooses the
 * server.
 */
describe('a cluster whose slots move while clients hold locks', () => {
  let cluster: Cluster;
  let router: ClusterRouter;
  const watching = new Map<(typeof LEVELS)[number], Lockscope>();
  const apps: ClusterApp[] = [];
  const processes: DemoProcess[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    const members = [...cluster.masters, ...cluster.replicas];
    for (const { command } of members) {
      await command('CONFIG', 'SET', 'notify-keyspace-events', 'KEA');
      await command('CONFIG', 'SET', 'cluster-node-timeout', '15000');
    }
    router = await startClusterRouter(members.map(({ port }) => port));
    for (const level of LEVELS) {
      watching.set(level, await startLockscopeProcess(cluster.url, ['--observe', level]));
    }
    for (const lockscope of watching.values()) {
      await waitFor('three sources', async (missing) => {
        const { sources } = await lockscope.health();
        const areObserving = sources.length === 3 && sources.every(({ status }) => status === 'observing');
        return areObserving || missing(JSON.stringify(sources));
      });
    }
  }, 120_000);
  afterAll(async () => {
    for (const app of apps) app.close();
    for (const client of processes) await client.kill();
    for (const lockscope of watching.values()) await lockscope.stop();
    await router?.close();
    await cluster?.stop();
  });

  async function newApp(): Promise<ClusterApp> {
    const app = await connectClusterApp(cluster.masters.map(({ node }) => node));
    apps.push(app);
    return app;
  }

  async function newProcess(name: string): Promise<DemoProcess> {
    const redisUrl = `redis://127.0.0.1:${router.port}`;
    const client = await startDemoProcess({ name, redisUrl, threads: EVERY_KIND.length, watchdogMs: WATCHDOG_MS });
    processes.push(client);
    return client;
  }

  /** Moves the slot of a lock to the next master. Returns that master. */
  async function move(lock: string): Promise<Member> {
    const shards = await shardsOf(cluster);
    const from = await cluster.memberOf(lock);
    const at = shards.findIndex(({ master }) => master.port === from.port);
    const to = shards[(at + 1) % shards.length]?.master ?? from;
    await moveSlotAtOnce(lock, from, to, shards);
    return to;
  }

  async function untilHas(
    lockscope: Lockscope,
    lock: string,
    type: ReportedEvent['type'],
    count = 1,
  ): Promise<ReportedEvent[]> {
    return waitFor(`${type} of ${lock}`, async (missing) => {
      const events = await lockscope.eventsAfter(0, { lock });
      const isThere = events.filter((event) => event.type === type).length >= count;
      return isThere ? events : missing(inShort(events).join(', '));
    });
  }

  /** Waits until a Lockscope shows each lock as its server has it, and not at the other servers. */
  async function untilSame(lockscope: Lockscope, locks: readonly string[]): Promise<void> {
    await waitUntilSame('Lockscope and the cluster', async () => {
      const shown = await lockscope.locks();
      const each = locks.map(async (name) => {
        const member = await cluster.memberOf(name);
        const here = shown.filter((lock) => lock.name === name && lock.node === member.node);
        const elsewhere = shown.filter((lock) => lock.name === name && lock.node !== member.node && lock.held);
        return [
          ...elsewhere.map(({ node }) => `${name}: held at ${node}, but ${member.node} serves it`),
          ...(await differencesFromRedis({ locks: async () => here }, member, [name])),
        ];
      });
      return (await Promise.all(each)).flat();
    });
  }

  /** No lock seems to have ended by itself, nothing drifted, and no verdict about one of them is more than a hint. */
  async function expectNoFalseEnds(locks: readonly string[]): Promise<void> {
    for (const [level, lockscope] of watching) {
      for (const lock of locks) {
        const events = inShort(await lockscope.eventsAfter(0, { lock }));
        expect([lock, events.filter((text) => FALSE_ENDS.test(text))], level).toEqual([lock, []]);
      }
      // A verdict that slots moved often is true, and belongs to no lock.
      const verdicts = (await lockscope.eventsAfter(0, { type: 'insight.opened' })).filter(
        (event) => locks.includes(event.lock) && 'severity' in event && event.severity !== 'hint',
      );
      expect(verdicts, level).toEqual([]);
      const { sources } = await lockscope.health();
      expect(
        sources.map(({ drift }) => drift),
        level,
      ).toEqual([0, 0, 0]);
    }
  }

  test('[X5] a held lock keeps its holder and its beginning while its slot moves through all servers', async () => {
    const lock = 'moving:7';
    const { acquire, release, holder } = await newApp();
    await acquire(lock);
    for (const lockscope of watching.values()) await untilHas(lockscope, lock, 'lock.acquired');
    for (let n = 1; n <= ROUNDS; n++) {
      await move(lock);
      for (const [level, lockscope] of watching) {
        await untilSame(lockscope, [lock]);
        const [acquired] = await untilHas(lockscope, lock, 'lock.moved', n);
        const held = (await lockscope.locks()).filter((each) => each.name === lock && each.held);
        expect(held, level).toMatchObject([{ holders: [{ id: holder, holdCount: 1, since: acquired?.at }] }]);
      }
    }
    await release(lock);
    for (const [level, lockscope] of watching) {
      const events = await untilHas(lockscope, lock, 'lock.released');
      expect(
        events.filter(({ type }) => type === 'lock.acquired'),
        level,
      ).toHaveLength(1);
    }
    await expectNoFalseEnds([lock]);
  });

  test('[X5] locks of every kind are not reported as ended while their slots move, and their releases wake the waiters', async () => {
    const [waiter, app] = [await newProcess('waiter'), await newApp()];
    // A process renews all its locks in one script, whose keys must be in one slot.
    const holders = await Promise.all(EVERY_KIND.map(({ kind }) => newProcess(kind)));
    const [tokenLock, token] = ['lock:token', randomUUID()];
    const orders = EVERY_KIND.map((lock, n) => ordersFor(lock, n + 1));
    const ask = async (n: number, ...all: Order[]) => {
      for (const order of all) expect(await holders[n]?.ask(order), order.lock).toMatchObject({ ok: true });
    };
    for (const [n, { before, hold }] of orders.entries()) await ask(n, ...before, hold);
    const waiting = orders.map(({ wait }) => waiter.ask(wait));
    await app.takeToken(tokenLock, token);
    const locks = [...EVERY_KIND.map(({ name }) => name), tokenLock];
    // A key with a number may be anything. At a new server, only its next command shows that it belongs to a semaphore.
    const held = EVERY_KIND.filter((lock) => !isCounting(lock)).map(({ name }) => name);
    for (let n = 0; n < ROUNDS; n++) {
      for (const lock of locks) await move(lock);
      for (const lockscope of watching.values()) await untilSame(lockscope, held);
    }
    for (const [n, { free }] of orders.entries()) await ask(n, free);
    expect(await Promise.all(waiting)).toEqual(orders.map(() => expect.objectContaining({ ok: true })));
    expect(await app.releaseToken(tokenLock, token)).toBe(1);
    for (const [level, lockscope] of watching) {
      await untilSame(lockscope, level === 'monitor' ? EVERY_KIND.map(({ name }) => name) : held);
    }
    await expectNoFalseEnds(locks);
  });

  test('[X5] contended locks lose no holder', async () => {
    const locks = ['{m1}:orders', '{m2}:orders', '{m3}:orders'];
    const contenders = await Promise.all(Array.from({ length: CLIENTS }, newApp));
    let isDone = false;
    let turns = 0;
    const work = async ({ acquire, release }: ClusterApp, n: number) => {
      for (let turn = n; !isDone; turn++) {
        const lock = locks[turn % locks.length] ?? '';
        if ((await acquire(lock)) !== null) await pause(5);
        else {
          turns++;
          await pause(20);
          expect(await release(lock), lock).toBe(1);
        }
      }
    };
    const working = Promise.all(contenders.map(work));
    for (let n = 0; n < MOVES; n++) {
      await move(locks[n % locks.length] ?? '');
      await pause(300);
    }
    isDone = true;
    await working;
    expect(turns).toBeGreaterThan(MOVES);
    for (const lockscope of watching.values()) await untilSame(lockscope, locks);
    await expectNoFalseEnds(locks);
  });
});

/** How a thread holds and releases a lock of each kind, and how another thread waits for it meanwhile. */
function ordersFor(
  { name, kind }: RandomLock,
  thread: number,
): Record<'hold' | 'free' | 'wait', Order> & { before: Order[] } {
  const on = (action: Order['action'], more: Partial<Order> = {}): Order => {
    return { thread, action, lock: name, ...(kind === 'read-write' ? {} : { kind }), ...more };
  };
  if (kind === 'latch') {
    return { before: [], hold: on('trySetCount', { permits: 1 }), free: on('countDown'), wait: on('await') };
  }
  if (kind === 'semaphore' || kind === 'expirable-semaphore') {
    const before = [on('trySetPermits', { permits: 1 })];
    return { before, hold: on('acquire'), free: on('release'), wait: on('acquire') };
  }
  const [mine, other]: Partial<Order>[] =
    kind === 'read-write' ? [{ kind: 'read-lock' }, { kind: 'write-lock' }] : [{}, {}];
  return { before: [], hold: on('lock', mine), free: on('unlock', mine), wait: on('lock', other) };
}
