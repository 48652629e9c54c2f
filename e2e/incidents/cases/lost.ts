import { insightsAfterLosses } from '../../support/lost-holds.ts';
import type { RunningRedis } from '../../support/servers/redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';
import type { IncidentCase } from '../setup.ts';

async function restart(server: RunningRedis | undefined): Promise<void> {
  await server?.crash();
  await server?.comeBack();
}

/** A lock is lost while its holder still works. */
export const lost: readonly IncidentCase[] = [
  {
    id: 'lease-shorter-than-work',
    how: 'work under a lease of 1 s takes 2 s the fifth time, and another thread acquires the lock meanwhile',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      const b = (await setup.client('batch-2')).thread('B');
      for (let round = 0; round < 4; round++) {
        await a.lock('report', 1000);
        await pause(300);
        await a.unlock('report');
      }
      await a.lock('report', 1000);
      const waiting = b.lock('report');
      await pause(2000);
      await a.unlock('report');
      await waiting;
      await b.unlock('report');
      await a.lock('report', 1000);
      const seen = { confidence: 'certain', atEvents: 'hint', isShownByEvents: true } as const;
      return { lock: 'report', holders: [a.holder, b.holder], ...seen };
    },
  },
  {
    id: 'watchdog-starved',
    how: 'the process of the holder is stopped for longer than its lease',
    async play(setup) {
      const holder = await setup.client('batch-1', { watchdogMs: 3000 });
      const a = holder.thread('A');
      await a.lock('report');
      await pause(2000);
      holder.freeze();
      await waitFor('the lease to end', async () => (await setup.redis.command('EXISTS', 'report')) === 0);
      holder.thaw();
      await pause(1500);
      return { lock: 'report', holders: [a.holder], confidence: 'likely' };
    },
  },
  {
    id: 'watchdog-batch-failure',
    how: 'a client that is set up for a single server holds locks in two slots of a cluster',
    isCluster: true,
    async play(setup) {
      const a = (await setup.client('batch-1', { watchdogMs: 6000 })).thread('A');
      await a.lock('cart:1');
      await pause(5000);
      await a.lock('cart:2');
      await waitFor('both leases to end', async () => {
        const left = await Promise.all(['cart:1', 'cart:2'].map((name) => setup.redis.command('EXISTS', name)));
        return left.every((count) => count === 0);
      });
      return { lock: 'cart:1', holders: [a.holder] };
    },
  },
  {
    id: 'renewal-overdue',
    how: 'the process of the holder is stopped',
    async play(setup) {
      const holder = await setup.client('batch-1', { watchdogMs: 9000 });
      const a = holder.thread('A');
      await a.lock('report');
      await pause(4000);
      holder.freeze();
      await pause(5000);
      return { lock: 'report', holders: [a.holder], confidence: 'likely' };
    },
  },
  {
    id: 'renewal-broken-after-error',
    how: 'a client of 2025 renews nothing after a lock that one thread held twice',
    async play(setup) {
      const client = await setup.client('batch-1', { version: '3.45.1', watchdogMs: 2400 });
      const [a, b] = [client.thread('A'), client.thread('B')];
      // a connection is only known to belong to this client once it has sent a script with a holder
      for (let n = 0; n < 100; n++) {
        await a.lock('warm');
        await a.unlock('warm');
      }
      await a.lock('job');
      await a.lock('job');
      await a.unlock('job');
      await a.unlock('job');
      await pause(1000);
      await b.lock('job');
      await waitFor('the lease to end', async () => (await setup.redis.command('EXISTS', 'job')) === 0);
      return { lock: 'job', holders: [b.holder], confidence: 'likely' };
    },
  },
  {
    id: 'failover-lock-lost',
    how: 'Redis is killed and comes back without its data',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report');
      await pause(1000);
      await setup.redis.crash();
      await setup.redis.comeBack();
      return { lock: 'report', holders: [a.holder] };
    },
  },
  {
    id: 'evicted-lock-key',
    how: 'Redis has no memory left and evicts any key',
    settings: { 'maxmemory-policy': 'allkeys-random' },
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report');
      await pause(1000);
      const used = /^used_memory:(\d+)/m.exec(String(await setup.redis.command('INFO', 'memory')));
      await setup.redis.command('CONFIG', 'SET', 'maxmemory', String(Math.round(Number(used?.[1]) * 0.5)));
      await setup.redis.command('SET', 'any', 'x').catch(() => undefined);
      await waitFor('the lock to be evicted', async () => {
        await setup.redis.command('SET', 'any', 'x').catch(() => undefined);
        return (await setup.redis.command('EXISTS', 'report')) === 0;
      });
      await setup.redis.command('CONFIG', 'SET', 'maxmemory', '0');
      return { lock: 'report', holders: [a.holder], confidence: 'certain' };
    },
  },
  {
    id: 'operator-delete-or-flush',
    how: 'an operator deletes the key of a held lock',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report');
      await pause(1000);
      await setup.redis.command('DEL', 'report');
      const seen = { confidence: 'certain', atEvents: 'hint', isShownByEvents: true } as const;
      return { lock: 'report', holders: [a.holder], ...seen };
    },
  },
  {
    id: 'foreign-delete',
    how: 'a client of ShedLock deletes the key after its lease has ended and another client has set the key',
    async play(setup) {
      const key = 'job-lock:default:nightly';
      const tokenOf = (host: string) => `ADDED:2026-11-23T02:00:00.000Z@${host}:5b3c7f0e-3f0c-4a43-9a43-0d2c5e1f7a01`;
      const [late, owner] = [await setup.app(), await setup.app()];
      await late.command('SET', key, tokenOf('host-1'), 'PX', '1000', 'NX');
      await pause(1500);
      await owner.command('SET', key, tokenOf('host-2'), 'PX', '30000', 'NX');
      await pause(500);
      await late.command('DEL', key);
      return { lock: key, confidence: 'certain' };
    },
  },
  {
    id: 'fencing-token-back',
    how: 'an operator deletes the counter of a fenced lock between two holders',
    async play(setup) {
      const a = (await setup.client('ledger-1')).thread('A');
      const b = (await setup.client('ledger-2')).thread('B');
      for (const thread of [a, a, a, b]) {
        await thread.at('fenced').lock('ledger');
        await pause(500); // a read finds the counter only after a moment
        await thread.at('fenced').unlock('ledger');
      }
      await setup.redis.command('DEL', 'redisson_lock_token:{ledger}');
      await a.at('fenced').lock('ledger');
      return { lock: 'ledger', holders: [a.holder], confidence: 'likely' };
    },
  },
  {
    id: 'read-renewal-lost',
    how: 'a reader of a client of 2026 is no longer renewed once a thread that had re-entered releases, and a writer gets in',
    async play(setup) {
      const readers = await setup.client('reindex-1', { version: '4.6.1', watchdogMs: 2400 });
      const [a, b] = [readers.thread('A').at('read'), readers.thread('B').at('read')];
      for (const step of ['lock', 'lock', 'unlock', 'unlock'] as const) {
        await a[step]('catalog');
        await pause(150); // a read needs a moment to find each hold count
      }
      await a.lock('catalog');
      await b.lock('catalog');
      // the length of the watchdog's lease is known from its renewals
      await pause(2000);
      await a.unlock('catalog');
      const writer = (await setup.client('reindex-2')).thread('C');
      await writer.at('write').lock('catalog');
      await b.unlock('catalog');
      await writer.at('write').unlock('catalog');
      await a.lock('catalog');
      return {
        ...{ lock: 'catalog', holders: [readers.thread('B').holder, writer.holder] },
        ...{ confidence: 'likely', atEvents: 'hint', isShownByEvents: true, healsItself: false },
      };
    },
  },
  {
    id: 'redlock-node-restart',
    how: 'two of the three servers of a RedLock restart without their data',
    servers: 3,
    async play(setup) {
      const client = await setup.client('pay-1', { redisUrls: setup.servers.map(({ url }) => url) });
      const a = client.thread('A');
      await a.at('red').lock('pay,pay,pay');
      await pause(1000);
      const [first, second] = setup.servers;
      await restart(first);
      for (const lockscope of Object.values(setup.lockscopes)) {
        const early = await insightsAfterLosses(lockscope, 1);
        if (early.some(({ incident }) => incident === 'redlock-node-restart'))
          throw new Error('reported although two of three servers still have the lock');
      }
      await restart(second);
      const onLast = a.holder.replace(client.uuid, client.uuids[2] ?? '');
      return {
        ...{ lock: 'pay', holders: [onLast], confidence: 'likely', atEvents: 'likely', isShownByEvents: true },
        ...{ healsItself: false, values: { servers: 3, left: 1, heldBy: null } },
      };
    },
  },
];
