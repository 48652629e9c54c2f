import { pause } from '../../support/wait-for.ts';
import type { IncidentCase } from '../setup.ts';

/** A lock cannot be unlocked, or no client will unlock it. */
export const stuck: readonly IncidentCase[] = [
  {
    id: 'holder-crashed-wait-ttl',
    how: 'the process of the holder is killed while another thread waits',
    async play(setup) {
      const holder = await setup.client('batch-1');
      const a = holder.thread('A');
      await a.lock('report');
      void (await setup.client('batch-2')).thread('B').lock('report');
      await pause(1000);
      await holder.kill();
      return { lock: 'report', holders: [a.holder], confidence: 'certain', healsItself: true };
    },
  },
  {
    id: 'orphan-job-lock',
    how: 'the process of a holder with a lease of two hours is killed',
    async play(setup) {
      const holder = await setup.client('batch-1');
      const a = holder.thread('A');
      await a.lock('nightly', 7_200_000);
      await pause(1000);
      await holder.kill();
      return { lock: 'nightly', holders: [a.holder], confidence: 'likely', healsItself: true };
    },
  },
  {
    id: 'orphan-job-lock',
    how: 'the worker of a scheduler that does not use Redisson ends, and its lock has a lease of a day',
    async play(setup) {
      const lock = 'framework/schedule-b0cfe7';
      const worker = await setup.app();
      await worker.command('SET', lock, 'q8Lh2pWnXz41', 'EX', '86400', 'NX');
      await pause(10_000); // until a CLIENT LIST has shown the worker's connection
      await worker.close();
      return { lock, holders: ['q8Lh2pWnXz41'], confidence: 'likely', healsItself: true };
    },
  },
  {
    id: 'no-ttl-lock',
    how: 'an application sends SETNX without EXPIRE',
    async play(setup) {
      await (await setup.app()).command('SETNX', 'report:lock', '8b6ead8ee54611f1');
      return { lock: 'report:lock', confidence: 'certain', healsItself: false, isShownByEvents: true };
    },
  },
  {
    id: 'no-ttl-lock',
    how: 'PERSIST removes the expiry of a lock, and its holder is killed',
    async play(setup) {
      const holder = await setup.client('batch-1');
      await holder.thread('A').lock('report', 600_000);
      await setup.redis.command('PERSIST', 'report');
      await pause(1000);
      await holder.kill();
      return { lock: 'report', healsItself: false };
    },
  },
  {
    id: 'unlock-by-non-owner',
    how: 'a thread whose tryLock failed unlocks all the same',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      const b = (await setup.client('batch-2')).thread('B');
      await a.lock('report');
      await b.tryLock('report');
      await b.unlock('report');
      return { lock: 'report', confidence: 'likely' };
    },
  },
  {
    id: 'accidental-reentrancy',
    how: 'jobs that follow each other in one thread take a lock that the first one did not release',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('user:3');
      for (let job = 0; job < 3; job++) {
        await pause(700);
        await a.lock('user:3');
        await a.unlock('user:3');
      }
      return { lock: 'user:3', holders: [a.holder] };
    },
  },
  {
    id: 'rwlock-zombie-reader',
    how: 'one of two readers is killed while a writer waits',
    async play(setup) {
      const old = { version: '3.27.2', watchdogMs: 3000 };
      const dead = await setup.client('reader-1', old);
      const reader = dead.thread('A');
      await reader.at('read').lock('catalog');
      await (await setup.client('reader-2', old)).thread('B').at('read').lock('catalog');
      void (await setup.client('writer', old)).thread('C').at('write').lock('catalog');
      await pause(1000);
      await dead.kill();
      return { lock: 'catalog' };
    },
  },
  {
    id: 'zombie-renewal',
    how: 'a thread takes a lock that is usually free again at once, and never unlocks it',
    async play(setup) {
      const a = (await setup.client('batch-1', { watchdogMs: 1500 })).thread('A');
      for (let job = 0; job < 6; job++) {
        await a.lock('report');
        await pause(20);
        await a.unlock('report');
        await pause(400);
      }
      await a.lock('report');
      void (await setup.client('batch-2')).thread('B').lock('report');
      await pause(6000);
      return { lock: 'report', holders: [a.holder], confidence: 'likely', healsItself: false };
    },
  },
  {
    id: 'latch-litter',
    how: 'a client of 2025 deletes the latch of its unlock under a wrong name',
    async play(setup) {
      const client = await setup.client('batch-1', { version: '3.52.0' });
      await client.thread('A').lock('report');
      await client.thread('A').unlock('report');
      return { holders: [client.uuid], confidence: 'certain' };
    },
  },
  {
    id: 'granted-after-timeout',
    how: 'a script blocks Redis during lock() for longer than the client waits',
    settings: { 'lua-time-limit': '60000' },
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('warm');
      await a.unlock('warm');
      for (let round = 1; round <= 5; round++) {
        const lock = `nightly:${round}`;
        const busy = setup.block(6);
        await pause(1500);
        const asked = a.lock(lock);
        const blockedMs = await busy;
        const answer = await asked;
        // On a busy machine Redis may be blocked for less time than its client waits, or for longer than Lockscope
        // waits.
        if (!answer.includes('RedisResponseTimeoutException') || blockedMs > 9000) continue;
        await pause(11_500);
        return { lock, holders: [a.holder], confidence: 'likely', healsItself: true };
      }
      throw new Error('Redis was never blocked for longer than its client waits, and for less than 9 s');
    },
  },
  {
    id: 'phantom-hold-count',
    how: 'a client of 2024 sends an acquire again that a paused server has not answered, and then unlocks once',
    async play(setup) {
      const a = (await setup.client('batch-1', { version: '3.27.2' })).thread('A');
      await a.lock('warm');
      await a.unlock('warm');
      for (let round = 1; round <= 5; round++) {
        const lock = `nightly:${round}`;
        await setup.redis.command('CLIENT', 'PAUSE', '6500');
        await a.lock(lock);
        await pause(2000);
        // On a busy machine the client may send the acquire once, or three times.
        if ((await setup.redis.command('HGET', lock, a.holder)) !== '2') {
          await setup.redis.command('DEL', lock);
          continue;
        }
        await a.unlock(lock);
        return { lock, holders: [a.holder], confidence: 'likely', healsItself: true };
      }
      throw new Error('the client never sent the acquire exactly twice');
    },
  },
  {
    id: 'unlock-replayed',
    how: 'the connection of a client is cut before the answer to its unlock arrives',
    async play(setup) {
      const { client, proxy } = await setup.clientBehindProxy('batch-1');
      const a = client.thread('A');
      await a.lock('warm');
      await a.unlock('warm');
      for (let round = 1; round <= 5; round++) {
        const lock = `report:${round}`;
        await a.lock(lock);
        await pause(500);
        proxy.cutAfter(0);
        await a.unlock(lock);
        // The proxy may have cut another answer, or the client may have used a new connection. Then the client deletes
        // the latch, and the next round begins.
        const latches = (await setup.redis.command('KEYS', `redisson_unlock_latch:{${lock}}:*`)) as string[];
        if (latches.length === 0) continue;
        // no confidence is expected: it depends on when the client connects again
        return { lock, holders: [a.holder] };
      }
      throw new Error('the answer to an unlock was never cut');
    },
  },
];
