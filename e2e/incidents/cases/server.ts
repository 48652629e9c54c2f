import { pause } from '../../support/wait-for.ts';
import type { IncidentCase } from '../setup.ts';

/** The server, its settings or its topology is the cause. */
export const server: readonly IncidentCase[] = [
  {
    id: 'server-refuses-writes',
    how: 'Redis has no memory left and evicts nothing',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('warm');
      await a.unlock('warm');
      await setup.redis.command('CONFIG', 'SET', 'maxmemory', '1');
      await a.tryLock('report');
      return { confidence: 'certain' };
    },
  },
  {
    id: 'slow-script-busy',
    how: 'a script runs for three seconds',
    async play(setup) {
      const a = (await setup.client('batch-1', { watchdogMs: 2000 })).thread('A');
      await a.lock('report');
      await pause(1000);
      await setup.block(3);
      return {};
    },
  },
  {
    id: 'acl-denied',
    how: 'the user of the clients may not publish',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report');
      await setup.redis.command('ACL', 'SETUSER', 'default', '-publish', '-spublish');
      await a.unlock('report');
      await pause(500);
      return {};
    },
  },
  {
    id: 'topology-churn',
    how: 'the server of a client becomes a replica, and the client does not know',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('warm');
      await setup.redis.command('REPLICAOF', '127.0.0.1', '1');
      await a.tryLock('report');
      return { confidence: 'likely' };
    },
  },
  {
    id: 'replica-sync-tax',
    how: 'the only replica is frozen, so each script of a lock waits a second for the replica',
    async play(setup) {
      const replica = await setup.replica();
      const a = (await setup.client('batch-1', { replicaUrl: replica.url })).thread('A');
      await a.lock('report');
      await a.unlock('report');
      await replica.freeze();
      try {
        await a.lock('report');
      } finally {
        await replica.thaw();
      }
      return { confidence: 'certain' };
    },
  },
  {
    id: 'key-name-collision',
    how: 'a cache writes a value under the name of a held lock',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('user:7');
      await pause(500);
      await setup.redis.command('SET', 'user:7', 'cached');
      await (await setup.client('batch-2')).thread('B').tryLock('user:7');
      return { lock: 'user:7' };
    },
  },
  {
    id: 'events-off',
    how: 'key notifications are switched off while a lock is held',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report', 3000);
      await setup.redis.command('CONFIG', 'SET', 'notify-keyspace-events', '');
      await pause(4000);
      return {};
    },
  },
];
