import { createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACQUIRE, channelOf, RELEASE } from '../support/clients/app.ts';
import type { Lockscope, ToldEvent } from '../support/clients/lockscope.ts';
import { startLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { inShort } from '../support/clients/watched-redis.ts';
import { moveSlotAtOnce, shardsOf } from '../support/servers/cluster-changes.ts';
import { type Cluster, type Member, startCluster } from '../support/servers/redis-group.ts';
import { pause, waitFor } from '../support/wait-for.ts';

const LEVELS = ['monitor', 'events'] as const;
const LEASE_MS = 600_000;
/** Shorter than a move of the slot and the next round of reads together. */
const WATCHDOG_MS = 6000;
const MOVES = 12;
const CLIENTS = 4;
/** What no client did: none of its locks ended in these ways. */
const FALSE_ENDS = /lost|expired|deleted|evicted|force|drift|flushed/;

describe('a cluster whose slots move in one step', () => {
  let cluster: Cluster;
  const watching = new Map<string, Lockscope>();
  const clients: Awaited<ReturnType<typeof connect>>[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    for (const { command } of [...cluster.masters, ...cluster.replicas]) {
      await command('CONFIG', 'SET', 'notify-keyspace-events', 'Eghxe$');
      await command('CONFIG', 'SET', 'cluster-node-timeout', '15000');
    }
    for (const level of LEVELS) {
      watching.set(level, await startLockscopeProcess(cluster.url, ['--observe', level]));
    }
    for (const lockscope of watching.values()) {
      await waitFor('three sources', async (missing) => {
        const { sources } = await lockscope.health();
        const areWell = sources.length === 3 && sources.every(({ status }) => status === 'observing');
        return areWell || missing(JSON.stringify(sources));
      });
    }
  }, 120_000);
  afterAll(async () => {
    for (const client of clients) client.destroy();
    for (const lockscope of watching.values()) await lockscope.stop();
    await cluster?.stop();
  });

  /** A client of clusters, which follows the slots. */
  async function connect() {
    const client = createCluster({ rootNodes: cluster.masters.map(({ node }) => ({ url: `redis://${node}` })) });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function clientOf(name: string) {
    const client = await connect();
    clients.push(client);
    const holder = `${crypto.randomUUID()}:1`;
    const run = (script: string, keys: string[], words: string[]) => client.eval(script, { keys, arguments: words });
    return {
      name,
      holder,
      acquire: (lock: string, leaseMs = LEASE_MS) => run(ACQUIRE, [lock], [String(leaseMs), holder]),
      release: (lock: string) => run(RELEASE, [lock, `${channelOf(lock)}`], ['0', String(LEASE_MS), holder]),
      client,
    };
  }

  /** Moves the slot of a lock to the next master, and waits until each Lockscope has found its lock there. */
  async function move(lock: string): Promise<Member> {
    const shards = await shardsOf(cluster);
    const from = await cluster.memberOf(lock);
    const at = shards.findIndex(({ master }) => master.port === from.port);
    const to = shards[(at + 1) % shards.length]?.master ?? from;
    await moveSlotAtOnce(lock, from, to, shards);
    return to;
  }

  /** The lock as it is at the server that serves it now. */
  async function heldAt(lockscope: Lockscope, lock: string, { node }: Member): Promise<void> {
    await waitFor(`${lock} to be held at ${node} only`, async (missing) => {
      const held = (await lockscope.locks()).filter((each) => each.name === lock && each.held);
      return (held.length === 1 && held[0]?.node === node) || missing(JSON.stringify(held));
    });
  }

  const ends = (events: readonly ToldEvent[]) => inShort(events).filter((text) => FALSE_ENDS.test(text));

  async function expectNoDrift(): Promise<void> {
    for (const [level, lockscope] of watching) {
      const { sources } = await lockscope.health();
      expect(
        sources.map(({ drift }) => drift),
        level,
      ).toEqual([0, 0, 0]);
    }
  }

  test('[X5] a held lock keeps its holder and its beginning', async () => {
    const lock = 'moving:7';
    const { acquire, release, holder } = await clientOf('a');
    await acquire(lock);
    for (const lockscope of watching.values()) await untilHas(lockscope, lock, 'lock.acquired');
    const to = await move(lock);
    for (const [level, lockscope] of watching) {
      await heldAt(lockscope, lock, to);
      await untilHas(lockscope, lock, 'lock.moved');
      const events = await lockscope.eventsAfter(0, { lock });
      const [acquired] = events;
      const [there] = (await lockscope.locks()).filter((each) => each.name === lock && each.held);
      expect(there, level).toMatchObject({ holders: [{ id: holder, holdCount: 1, since: acquired?.at }] });
      expect(ends(events), level).toEqual([]);
    }
    await release(lock);
    for (const lockscope of watching.values()) await untilHas(lockscope, lock, 'lock.released');
    await expectNoDrift();
  });

  async function untilHas(lockscope: Lockscope, lock: string, type: ToldEvent['type']): Promise<void> {
    await waitFor(`${type} of ${lock}`, async (missing) => {
      const events = await lockscope.eventsAfter(0, { lock });
      return events.some((event) => event.type === type) || missing(inShort(events).join(', '));
    });
  }

  test('[X5] a lock that a watchdog renews during the moves is never reported as expired', async () => {
    const lock = 'renewed:7';
    const { acquire, release, client } = await clientOf('w');
    await acquire(lock, WATCHDOG_MS);
    let isDone = false;
    const renewing = (async () => {
      while (!isDone) {
        await client.eval("return redis.call('pexpire', KEYS[1], ARGV[1])", {
          keys: [lock],
          arguments: [`${WATCHDOG_MS}`],
        });
        await pause(WATCHDOG_MS / 3);
      }
    })();
    for (let n = 0; n < 3; n++) {
      const to = await move(lock);
      for (const lockscope of watching.values()) await heldAt(lockscope, lock, to);
      await pause(WATCHDOG_MS);
    }
    isDone = true;
    await renewing;
    for (const [level, lockscope] of watching) {
      expect(ends(await lockscope.eventsAfter(0, { lock })), level).toEqual([]);
    }
    await release(lock);
    await expectNoDrift();
  });

  test('[X5] contended locks lose no holder while their slots move', async () => {
    const locks = ['{m1}:orders', '{m2}:orders', '{m3}:orders'];
    const apps = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => clientOf(`c${n}`)));
    let isDone = false;
    let turns = 0;
    const work = async ({ acquire, release }: (typeof apps)[number], n: number) => {
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
    const working = Promise.all(apps.map(work));
    for (let n = 0; n < MOVES; n++) {
      await move(locks[n % locks.length] ?? '');
      await pause(300);
    }
    isDone = true;
    await working;
    expect(turns).toBeGreaterThan(MOVES);
    for (const [level, lockscope] of watching) {
      for (const lock of locks) {
        await waitFor(`${lock} to be free`, async (missing) => {
          const held = (await lockscope.locks()).filter((each) => each.name === lock && each.held);
          return held.length === 0 || missing(JSON.stringify(held));
        });
        expect(ends(await lockscope.eventsAfter(0, { lock })), `${level} ${lock}`).toEqual([]);
      }
    }
    await expectNoDrift();
  });
});
