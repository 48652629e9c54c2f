import { expect, onTestFinished, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { openIdleConnections } from '../support/clients/idle-connections.ts';
import { type Lockscope, sourceOf } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/*
 * Redis has hashes of 300,000 fields, values of 17 MB, names of a megabyte, and an application that keeps writing
 * hashes. The tests count what Redis did for Lockscope: which commands, how often, on which connections.
 */

const EVENTS = { 'notify-keyspace-events': 'Eghxe' };
const FIELDS = 300_000;
const LEVELS = ['snapshot', 'events', 'monitor'] as const;

type Attacked = { redis: RunningRedis; app: App };

async function attacked(settings: Record<string, string> = EVENTS): Promise<Attacked> {
  const redis = await startRedis(settings);
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  return { redis, app };
}

async function watch({ redis }: Attacked, ...flags: string[]): Promise<Lockscope> {
  const lockscope = await startLockscopeProcess(redis.url, flags);
  onTestFinished(() => lockscope.stop());
  return lockscope;
}

/** The codes of what cannot be seen now. */
async function unseenBy(lockscope: Lockscope): Promise<string[]> {
  return (await sourceOf(lockscope)).unseen.map(({ code }) => code);
}

/** Calls of one command since `before`. */
async function callsSince(redis: RunningRedis, before: ReadonlyMap<string, number>, command: string): Promise<number> {
  return ((await redis.commandCalls()).get(command) ?? 0) - (before.get(command) ?? 0);
}

async function bigHash(app: App, name: string, fields = FIELDS): Promise<void> {
  const script = `for i = 1, ${fields} do redis.call('hset', KEYS[1], 'field:' .. i, 'value') end`;
  await app.command('EVAL', script, '1', name);
}

/** Acquires a lock and waits until it is shown: all reads before it are then done. */
async function showsNewLock({ app }: Attacked, lockscope: Lockscope, lock: string): Promise<void> {
  await app.acquire(lock, { leaseMs: 600_000 });
  await waitFor(`${lock} to be shown`, async () => (await lockscope.lock(lock))?.held === true);
}

test.each(['events', 'monitor'])('level %s: a hash of 300,000 fields that changes is not read', async (level) => {
  const target = await attacked();
  await bigHash(target.app, 'catalogue');
  const lockscope = await watch(target, '--observe', level);
  await showsNewLock(target, lockscope, 'before');
  const before = await target.redis.commandCalls();
  for (let n = 0; n < 50; n++) {
    await target.app.command('HSET', 'catalogue', 'field:1', String(n));
    await target.app.command('PEXPIRE', 'catalogue', '600000'); // like the script of an acquisition
  }
  await showsNewLock(target, lockscope, 'after');
  expect(await callsSince(target.redis, before, 'hello')).toBe(0);
  for (const command of ['hkeys', 'hgetall']) {
    expect(await callsSince(target.redis, before, command)).toBeLessThan(25); // the reads of the two locks
  }
  expect((await sourceOf(lockscope)).unread).toBeUndefined(); // a lock never has this many fields
});

test.each(LEVELS)('level %s: a value of 17 MB does not hide another lock, and is reported as unread', async (level) => {
  const target = await attacked({});
  await target.app.acquire('a-real-lock', { leaseMs: 600_000 });
  await target.app.command('HSET', 'poison', target.app.holder(9), Buffer.alloc(17 * 1024 * 1024, 65));
  const lockscope = await watch(target, '--observe', level);
  const [unread] = await waitFor('the large key to be reported', async () => {
    const found = (await sourceOf(lockscope)).unread?.first;
    return found && (await lockscope.lock('a-real-lock'))?.held ? found : undefined;
  });
  expect(unread).toMatchObject({ name: 'poison', reason: 'bytes', isKnownLock: false });
  expect(await lockscope.lock('poison')).toBeUndefined();
  // The read of the value may have ended a connection, which opens again. After that, connections must stay open.
  await waitFor('connections that stay open', async (missing) => {
    const before = await target.redis.commandCalls();
    await pause(3000);
    const opened = await callsSince(target.redis, before, 'hello');
    return opened === 0 || missing(`${opened} opened within 3 s`);
  });
  await target.app.command('DEL', 'poison');
  await waitFor('it to be forgotten', async () => (await sourceOf(lockscope)).unread === undefined);
});

test('a held lock whose hash becomes too large for a lock is still shown, and is reported as unread', async () => {
  const target = await attacked();
  const lockscope = await watch(target, '--observe', 'events');
  await showsNewLock(target, lockscope, 'grows');
  await bigHash(target.app, 'grows', 5000);
  const [unread] = await waitFor('it to be reported', async () => (await sourceOf(lockscope)).unread?.first);
  expect(unread).toMatchObject({ name: 'grows', reason: 'fields', size: 5001, isKnownLock: true });
  expect(await lockscope.lock('grows')).toMatchObject({ held: true, holders: [{ id: target.app.holder() }] });
  const marked = await waitFor('the lock to be marked', async () => (await lockscope.lock('grows'))?.unread);
  expect(marked).toEqual({ since: unread?.since, reason: 'fields' });
  await showsNewLock(target, lockscope, 'beside');
  expect(await lockscope.lock('beside')).not.toHaveProperty('unread');
  await target.app.command('DEL', 'grows');
  await waitFor('it to be free', async () => (await lockscope.lock('grows'))?.held === false);
  await waitFor('its mark to go', async () => (await lockscope.lock('grows'))?.unread === undefined);
});

test('of 60,000 hashes that an application writes, fewer than 3,000 are read, and a new lock among them is found', async () => {
  const target = await attacked();
  const lockscope = await watch(target, '--observe', 'events');
  await showsNewLock(target, lockscope, 'before');
  const before = await target.redis.commandCalls();
  const write = `for i = tonumber(ARGV[1]), ARGV[1] + 999 do
    redis.call('hset', 'session:' .. i, 'user', 'u') redis.call('pexpire', 'session:' .. i, 600000) end`;
  for (let n = 0; n < 60_000; n += 1000) await target.app.command('EVAL', write, '0', String(n));
  await showsNewLock(target, lockscope, 'amid-the-traffic');
  for (const command of ['hlen', 'hrandfield', 'hgetall', 'memory|usage']) {
    expect(await callsSince(target.redis, before, command), command).toBeLessThan(3000);
  }
  // A source is reported once a second.
  await waitFor('the sample to be reported', async (missing) => {
    const unseen = await unseenBy(lockscope);
    return unseen.includes('unseen-unsampled') || missing(`${unseen}`);
  });
  await waitFor('the changes to be read', async (missing) => {
    const { lagMs } = await sourceOf(lockscope);
    return lagMs < 5000 || missing(`${lagMs} ms behind`);
  });
});

test('a hash that never expires is not read for each of its 500 writes, and is not reported as unsampled', async () => {
  const target = await attacked();
  const lockscope = await watch(target, '--observe', 'events');
  await showsNewLock(target, lockscope, 'before');
  await target.app.command('SELECT', '0');
  const before = await target.redis.commandCalls();
  for (let n = 0; n < 500; n++) await target.app.command('HSET', 'one-cart', `item:${n}`, '1');
  await showsNewLock(target, lockscope, 'after');
  expect(await callsSince(target.redis, before, 'hlen')).toBeLessThan(60);
  await pause(1500); // a source is reported once a second
  expect(await unseenBy(lockscope)).not.toContain('unseen-unsampled');
});

test('with client tracking, changes of keys with the same prefix as a held lock cause no reads', async () => {
  const target = await attacked({});
  await target.app.acquire('cart', { leaseMs: 600_000 });
  await bigHash(target.app, 'cart:catalogue');
  const lockscope = await watch(target, '--observe', 'events');
  await waitFor('cart to be shown', async () => (await lockscope.lock('cart'))?.held === true);
  expect((await sourceOf(lockscope)).keyEvents).toBe('tracking');
  const before = await target.redis.commandCalls();
  for (let n = 0; n < 500; n++) await target.app.command('HSET', `cart:${n}`, 'a', 'b');
  await target.app.command('HSET', 'cart:catalogue', 'field:1', 'changed');
  for (const count of [2, 3, 4]) {
    await target.app.acquire('cart', { leaseMs: 600_000 });
    await waitFor(`hold count ${count}`, async () => (await lockscope.lock('cart'))?.holders[0]?.holdCount === count);
  }
  expect(await callsSince(target.redis, before, 'hgetall')).toBeLessThan(20);
});

test('with --match, only matching keys are read', async () => {
  const target = await attacked();
  const lockscope = await watch(target, '--observe', 'events', '--match', 'locks:*');
  await showsNewLock(target, lockscope, 'locks:before');
  const before = await target.redis.commandCalls();
  for (let n = 0; n < 300; n++) await target.app.acquire(`cart:${n}`);
  await showsNewLock(target, lockscope, 'locks:after');
  expect(await callsSince(target.redis, before, 'hgetall')).toBeLessThan(25);
  expect((await lockscope.locks()).map(({ name }) => name).sort()).toEqual(['locks:after', 'locks:before']);
});

test('names of a megabyte do not hide another lock', async () => {
  const target = await attacked({});
  await target.app.acquire('a-real-lock', { leaseMs: 600_000 });
  const name = Buffer.alloc(1024 * 1024, 97);
  for (let n = 0; n < 40; n++) {
    name.write(`hash-${n}-`, 0);
    await target.app.command('HSET', name, 'a', 'b');
  }
  const lockscope = await watch(target, '--observe', 'snapshot');
  await waitFor('the lock to be shown', async () => (await lockscope.lock('a-real-lock'))?.held === true);
  const before = await target.redis.commandCalls();
  await pause(3000);
  expect(await callsSince(target.redis, before, 'hello')).toBe(0);
  expect((await sourceOf(lockscope)).status).toBe('observing');
});

test('a fair lock is shown although its queue has items of a megabyte, and the queue is reported as unread', async () => {
  const target = await attacked();
  await target.app.acquire('fair', { leaseMs: 600_000 });
  for (let n = 0; n < 40; n++)
    await target.app.command('RPUSH', 'redisson_lock_queue:{fair}', Buffer.alloc(1024 * 1024, 97));
  const lockscope = await watch(target, '--observe', 'events');
  await waitFor('it to be shown', async () => (await lockscope.lock('fair'))?.held === true);
  const [unread] = await waitFor('the queue to be reported', async () => (await sourceOf(lockscope)).unread?.first);
  expect(unread).toMatchObject({ name: 'fair', reason: 'beside', isKnownLock: true });
  const marked = await waitFor('the lock to be marked', async () => (await lockscope.lock('fair'))?.unread);
  expect(marked).toEqual({ since: unread?.since, reason: 'beside' });
  await target.app.acquire('fair', { leaseMs: 600_000 });
  await waitFor('its hash to be read', async () => (await lockscope.lock('fair'))?.holders[0]?.holdCount === 2);
  const before = await target.redis.commandCalls();
  await showsNewLock(target, lockscope, 'beside');
  expect((await target.redis.commandCalls()).get('lrange') ?? 0).toBeLessThan(20);
  expect(await callsSince(target.redis, before, 'hello')).toBe(0);
  await target.app.command('DEL', 'redisson_lock_queue:{fair}');
  await waitFor('its mark to go', async () => (await lockscope.lock('fair'))?.unread === undefined);
});

test('if more locks are unread than can be named, each of them is marked', async () => {
  const target = await attacked();
  const lockscope = await watch(target, '--observe', 'events');
  for (let n = 0; n < 15; n++) await showsNewLock(target, lockscope, `grows:${n}`);
  for (let n = 0; n < 15; n++) await bigHash(target.app, `grows:${n}`, 5000);
  await waitFor('all of them to be marked', async () => {
    return (await lockscope.locks()).filter(({ unread }) => unread?.reason === 'fields').length === 15;
  });
  expect((await sourceOf(lockscope)).unread).toMatchObject({ count: 15, first: { length: 10 } });
});

test('the list of clients is not requested from a server with many clients, and this is reported', async () => {
  const target = await attacked();
  onTestFinished(await openIdleConnections(target.redis.port, 2100));
  for (const [name, value] of [
    ['slowlog-max-len', '100000'],
    ['slowlog-log-slower-than', '0'], // every command
  ] as const) {
    await target.app.command('CONFIG', 'SET', name, value);
  }
  const lockscope = await watch(target, '--observe', 'monitor');
  await showsNewLock(target, lockscope, 'a-lock');
  await waitFor('it to be reported', async () => (await unseenBy(lockscope)).includes('unseen-clients'));
  const log = (await target.app.command('SLOWLOG', 'GET', '100000')) as [number, number, number, string[]][]; // SLOWLOG replies in this form
  const commands = log.map(([, , , words]) => words.join(' '));
  expect(commands.some((command) => command.startsWith('INFO'))).toBe(true);
  // The guard asks for our own two connections by id: `CLIENT LIST ID` with two ids.
  expect(commands.filter((command) => /^client list(?! id)/i.test(command))).toEqual([]);
});

test('connections and channels are not listed for a user who may not count them', async () => {
  const target = await attacked();
  const rules = ['ACL', 'SETUSER', 'blind', 'on', '>pw', '~*', '+@all', '-@dangerous', '-info'];
  await target.app.command(...rules, '&*').catch(() => target.app.command(...rules)); // Redis 6.0 has no rules for channels
  await target.app.command('CONFIG', 'RESETSTAT');
  const lockscope = await startLockscopeProcess(`redis://blind:pw@127.0.0.1:${target.redis.port}`, [
    '--observe',
    'events',
  ]);
  onTestFinished(() => lockscope.stop());
  await showsNewLock(target, lockscope, 'a-lock');
  await waitFor('it to be reported', async () => (await unseenBy(lockscope)).includes('unseen-waiters'));
  const calls = await target.redis.commandCalls();
  expect([calls.get('client|list') ?? 0, calls.get('pubsub|channels') ?? 0]).toEqual([0, 0]);
});
