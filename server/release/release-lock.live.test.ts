import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import { holderOf, seconds, story } from '../../shared/testing/story.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/lock-view.ts';
import { type CommandConnection, openCommandConnection } from '../redis/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { Releaser } from './release-lock.ts';

let redis: LocalRedis;
let admin: CommandConnection;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  redis = await startLocalRedis();
  admin = openCommandConnection({ url: redis.url });
  await admin.whenReady(5000);
});

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  admin.close();
  await redis.stop();
});

/** The lock `x`, held by A, as Lockscope shows it. */
function shown(): Lock {
  const events = story('x lease 30s\n0.000 A attempts acquired');
  const state = events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  if (!state) throw new Error('no lock');
  return lockView(state, seconds(1), UNKNOWN_PRESENCE);
}

function releaserAt(url: string): Releaser {
  const parsed = parseRedisUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  const releaser = new Releaser(parsed.value, 0);
  closing.push(() => releaser.close());
  return releaser;
}

/** A proxy to Redis that breaks each connection instead of passing on the answer to EXEC. */
async function cuttingAtExec(url: string): Promise<string> {
  const { port } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), '127.0.0.1');
    let isExec = false;
    client.on('error', () => undefined).on('close', () => server.destroy());
    server.on('error', () => undefined).on('close', () => client.destroy());
    client.on('data', (chunk) => {
      isExec ||= chunk.toString('latin1').toUpperCase().includes('EXEC\r\n');
      server.write(chunk);
    });
    server.on('data', (chunk) => (isExec ? server.destroy() : client.write(chunk)));
  });
  closing.push(() => proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  const through = new URL(url);
  through.port = String(address.port);
  return through.href;
}

test('if the connection breaks before the answer, it is not known whether the lock was released', async () => {
  await admin.call('HSET', 'x', holderOf('A'), '1');
  const releaser = releaserAt(await cuttingAtExec(redis.url));
  expect(await releaser.send(await releaser.plan(shown()))).toBe('unknown');
  await expect.poll(() => admin.call('EXISTS', 'x')).toBe(0);
});

test('a key that has become large is neither read nor deleted', async () => {
  for (let n = 0; n < 20; n++) await admin.call('HSET', 'x', n === 0 ? holderOf('A') : `field ${n}`, '1');
  const releaser = releaserAt(redis.url);
  expect(await releaser.send(await releaser.plan(shown()))).toBe('changed');
  expect(await admin.call('HLEN', 'x')).toBe(20);
  expect(String(await admin.call('INFO', 'commandstats'))).not.toContain('cmdstat_hkeys');
});

test('the permissions that the documentation names are enough', async () => {
  const rules = '+@read +@connection +@transaction +time +pubsub +eval +del +publish +lpop +zrem'.split(' ');
  await admin.call('ACL', 'SETUSER', 'lockscope', 'on', '>secret', '~*', '&*', ...rules);
  await admin.call('HSET', 'x', holderOf('A'), '1');
  const url = new URL(redis.url);
  [url.username, url.password] = ['lockscope', 'secret'];
  const releaser = releaserAt(url.href);
  expect(await releaser.send(await releaser.plan(shown()))).toBe('released');
  expect(await admin.call('ACL', 'LOG')).toEqual([]);
});

test('the waiters of a fair lock listen to channels of their own, which may be sharded', async () => {
  const lock = shown();
  const events = story('x lease 30s\n0.000 A attempts acquired\n1.000 B attempts refused\n1.001 B subscribes');
  const state = events.reduce<LockState | undefined>((known, event) => reduceLock(known, event), undefined);
  const [waiter] = state ? lockView(state, seconds(2), UNKNOWN_PRESENCE).waiters : [];
  if (!waiter) throw new Error('no waiter');
  const fair: Lock = { ...lock, kind: 'fair-lock', waiters: [waiter] };
  const releaser = releaserAt(redis.url);
  expect((await releaser.plan(fair)).force.words).toContain('PUBLISH');
  const listener = connect(Number(new URL(redis.url).port), '127.0.0.1');
  closing.push(() => listener.destroy());
  listener.write(`SSUBSCRIBE redisson_lock__channel:{x}:${waiter.id}\r\n`);
  await new Promise((resolve) => listener.once('data', resolve));
  expect((await releaser.plan(fair)).force.words).toContain('SPUBLISH');
});
