import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type WatchedRedis, watchRedis, withoutVerdicts } from '../../support/lockscope/watched-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let watched: WatchedRedis;
let ops: App;
beforeAll(async () => {
  watched = await watchRedis();
  ops = await connectApp(watched.redis.url);
});
afterAll(async () => {
  await ops.close();
  await watched.end();
});

/** The address of a connection as Redis shows it. */
async function addressOf(app: App): Promise<string> {
  const info = String(await app.command('CLIENT', 'LIST'));
  const id = await app.command('CLIENT', 'ID');
  return new RegExp(`^id=${id} addr=(\\S+)`, 'm').exec(info)?.[1] ?? '';
}

describe('a lock whose key another client removes ends with that client as its cause', () => {
  test.each([
    ['DEL', (lock: string) => ['DEL', 'other', lock]],
    ['UNLINK', (lock: string) => ['UNLINK', lock]],
    ['SET', (lock: string) => ['SET', lock, 'x']],
    ['MSET', (lock: string) => ['MSET', 'other', 'x', lock, 'x']],
    ['RENAME', (lock: string) => ['RENAME', lock, `${lock}:away`]],
    ['MOVE', (lock: string) => ['MOVE', lock, '7']],
    ['HDEL', (lock: string) => ['HDEL', lock, watched.app.holder()]],
    ['PEXPIRE', (lock: string) => ['PEXPIRE', lock, '0']],
    ['EXPIREAT', (lock: string) => ['EXPIREAT', lock, '1000']],
  ])('%s', async (command, wordsFor) => {
    const lock = `gone-by-${command}`;
    await watched.app.acquire(lock);
    await ops.command(...wordsFor(lock));
    const events = await watched.eventsUntil(lock, 'lock.deleted');
    expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.deleted']);
    expect(events[1]).toMatchObject({
      command,
      by: await addressOf(ops),
      holder: watched.app.holder(),
      certainty: 'observed',
    });
    expect(await watched.lockscope.lock(lock)).toMatchObject({ held: false, holders: [] });
  });

  test('RENAME of another key to the name of the lock', async () => {
    await watched.app.acquire('covered');
    await ops.command('SET', 'plain', 'x');
    await ops.command('RENAME', 'plain', 'covered');
    expect((await watched.eventsUntil('covered', 'lock.deleted')).at(-1)).toMatchObject({ command: 'RENAME' });
  });

  test('a script of the application that deletes the key', async () => {
    await watched.app.acquire('by-script');
    await ops.command('EVAL', `return redis.call('del', KEYS[1])`, '1', 'by-script', 'for', 'good');
    expect((await watched.eventsUntil('by-script', 'lock.deleted')).at(-1)).toMatchObject({ by: await addressOf(ops) });
  });

  test.each(['FLUSHDB', 'FLUSHALL'])('%s', async (command) => {
    await watched.app.acquire(`flushed-by-${command}`);
    await ops.command(command);
    const events = await watched.eventsUntil(`flushed-by-${command}`, 'db.flushed');
    expect(events.at(-1)).toMatchObject({ command, holder: watched.app.holder(), by: await addressOf(ops) });
  });

  test('SWAPDB, after which the lock is found in its new database', async () => {
    await watched.app.acquire('swapped');
    await ops.command('SWAPDB', '0', '9');
    const events = await watched.eventsUntil('swapped', 'lock.found');
    await ops.command('SWAPDB', '9', '0');
    expect(events.map(({ type, db }) => [type, db])).toEqual([
      ['lock.acquired', 0],
      ['lock.deleted', 0],
      ['lock.found', 9],
    ]);
    expect(events[1]).toMatchObject({ command: 'SWAPDB', holder: watched.app.holder(), by: await addressOf(ops) });
    await waitFor('the lock back in its place', async () => {
      const shown = (await watched.lockscope.locks()).filter(({ name, held }) => name === 'swapped' && held);
      return shown.length === 1 && shown[0]?.db === 0;
    });
    expect(await watched.lockscope.eventsAfter(0, { type: 'drift.healed' })).toEqual([]);
    const { sources } = await watched.lockscope.health();
    expect(sources[0]).toMatchObject({ drift: 0 });
  });
});

test('FLUSHDB of another database does not affect the lock', async () => {
  await watched.app.acquire('left-alone');
  await ops.command('SELECT', '4');
  await ops.command('FLUSHDB');
  await ops.command('SELECT', '0');
  await watched.app.release('left-alone');
  expect(await watched.story('left-alone', (events) => events.length === 3)).not.toContain('db.flushed');
});

describe.each(['monitor', 'events'])('at level %s', (level) => {
  let running: WatchedRedis;
  beforeAll(async () => {
    running = await watchRedis({ 'notify-keyspace-events': 'KEA' }, ['--observe', level]);
  });
  afterAll(() => running?.end());

  test.each(['RENAME', 'MOVE'])(
    'a lock that is brought back by %s is reported as deleted and found, and not as acquired',
    async (command) => {
      const { app, lockscope } = running;
      const lock = `lent-by-${command}`;
      await app.acquire(lock);
      await running.eventsUntil(lock, 'lock.acquired');
      if (command === 'RENAME') {
        await app.command('RENAME', lock, 'aside');
        await app.command('RENAME', 'aside', lock);
      } else {
        await app.command('MOVE', lock, '7');
        await app.command('SELECT', '7');
        await app.command('MOVE', lock, '0');
        await app.command('SELECT', '0');
      }
      const types = await waitFor('the lock in its place', async () => {
        const events = withoutVerdicts(await lockscope.eventsAfter(0, { lock }));
        const inDatabase0 = events.filter(({ db }) => db === 0).map(({ type }) => type);
        return inDatabase0.includes('lock.found') && inDatabase0;
      });
      expect(types).toEqual(['lock.acquired', 'lock.deleted', 'lock.found']);
      await app.release(lock);
      await running.eventsUntil(lock, 'lock.released');
      expect(await lockscope.eventsAfter(0, { type: 'drift.healed' })).toEqual([]);
    },
  );
});

test('a command that changes nothing is not an event', async () => {
  await watched.app.acquire('untouched');
  await ops.command('HDEL', 'untouched', 'nobody');
  await ops.command('SET', 'untouched', 'x', 'NX');
  await ops.command('EXISTS', 'untouched');
  await watched.app.release('untouched');
  const reported = await watched.story('untouched', (events) => events.length >= 3);
  expect(reported).toEqual(['lock.acquired ×1', 'lock.released ×0', 'wakeup.published']);
});

test('a plain EXPIRE moves the end of the lease, PERSIST removes it', async () => {
  await watched.app.acquire('by-expire');
  await ops.command('EXPIRE', 'by-expire', '100');
  await ops.command('EXPIRE', 'by-expire', '5', 'GT').catch(() => undefined); // GT needs Redis 7
  const [, renewed] = await watched.eventsUntil('by-expire', 'lease.renewed');
  expect(renewed).toMatchObject({ cause: 'command', leaseMs: 100_000, by: await addressOf(ops) });
  const lock = await watched.lockscope.lock('by-expire');
  expect((lock?.lease.expiresAt ?? 0) - (renewed?.at ?? 0)).toBe(100_000_000);
  await ops.command('PERSIST', 'by-expire');
  await waitFor('the lease to have no end', async () => {
    return (await watched.lockscope.lock('by-expire'))?.lease.expiresAt === null;
  });
});

test('a hold count that HINCRBY changed is drift, and is replaced by the count in Redis', async () => {
  await watched.app.acquire('counted');
  await ops.command('HINCRBY', 'counted', watched.app.holder(), '4');
  const healed = (await watched.eventsUntil('counted', 'drift.healed')).at(-1);
  const holders = (holdCount: number) => ({ holders: [{ holder: watched.app.holder(), holdCount }] });
  expect(healed).toMatchObject({ cause: 'unexplained', expected: holders(1), found: holders(5) });
  expect((await watched.lockscope.lock('counted'))?.holders).toMatchObject([{ holdCount: 5 }]);
});

describe('a lock that is a string', () => {
  test.for(['PX 900000', 'PERSIST'])(
    'gets the end of its lease from GETEX %s, and ends when another value is copied over it',
    async (options, { skip }) => {
      const [known] = (await ops.command('COMMAND', 'INFO', 'GETEX')) as unknown[];
      skip(known === null, 'before Redis 6.2 there is no GETEX');
      const lock = `lock:getex-${options}`;
      const holder = '8b6ead8ee54611f18a0402fc00000001';
      await ops.command('SET', lock, holder, 'NX', 'PX', '600000');
      await waitFor('the lock', () => watched.lockscope.lock(lock));
      await ops.command('GETEX', lock, ...options.split(' '));
      const renewed = (await watched.eventsUntil(lock, 'lease.renewed')).at(-1);
      const lease = options === 'PERSIST' ? { expiresAt: null } : { leaseMs: 900_000 };
      // the connection that acquired the lock sent the command, so it is probably the holder's renewal
      expect(renewed).toMatchObject({ cause: 'command', holder, certainty: 'inferred', ...lease });
      await ops.command('SET', 'plain', 'x');
      await ops.command('COPY', 'plain', lock, 'REPLACE');
      const deleted = (await watched.eventsUntil(lock, 'lock.deleted')).at(-1);
      expect(deleted).toMatchObject({ command: 'COPY', certainty: 'inferred', by: await addressOf(ops) });
      expect(await watched.lockscope.lock(lock)).toMatchObject({ held: false });
    },
  );
});
