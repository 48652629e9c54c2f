import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/locks/lock-view.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { startStepProxy } from '../testing/step-proxy.ts';
import { Releaser } from './release-lock.ts';
import { shownLock } from './testing/held-lock.ts';

let redis: LocalRedis;
let admin: CommandConnection;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  redis = await startLocalRedis();
  admin = openCommandConnection({ url: redis.url });
  await admin.whenReady(60_000);
});

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  admin.close();
  await redis.stop();
});

function releaserAt(url: string): Releaser {
  const parsed = parseRedisUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  const releaser = new Releaser(parsed.value, 0);
  closing.push(() => releaser.close());
  return releaser;
}

/** The URL of a proxy to Redis that breaks its connection instead of passing on the answer to the script. */
async function cuttingAtScript(url: string): Promise<string> {
  let isSent = false;
  const proxy = await startStepProxy(url, ({ part, text }) => {
    if (part === 'request') isSent ||= text.includes('EVAL\r\n');
    return part === 'reply' && isSent ? 'cut' : undefined;
  });
  closing.push(() => proxy.close());
  return proxy.url;
}

test('if the connection breaks before the answer, it is not known whether the lock was released', async () => {
  await admin.call('HSET', 'x', holderOf('A'), '1');
  const releaser = releaserAt(await cuttingAtScript(redis.url));
  expect(await releaser.send(await releaser.plan(shownLock()))).toBe('unknown');
  await expect.poll(() => admin.call('EXISTS', 'x')).toBe(0);
});

test('a key that has become large is neither read nor deleted', async () => {
  for (let n = 0; n < 20; n++) await admin.call('HSET', 'x', n === 0 ? holderOf('A') : `field ${n}`, '1');
  const releaser = releaserAt(redis.url);
  expect(await releaser.send(await releaser.plan(shownLock()))).toBe('changed');
  expect(await admin.call('HLEN', 'x')).toBe(20);
  expect(String(await admin.call('INFO', 'commandstats'))).not.toContain('cmdstat_hmget');
});

test('the permissions that the documentation lists are enough', async () => {
  const rules = '+@read +@connection +@transaction +time +pubsub +eval +del +publish +lpop +zrem'.split(' ');
  await admin.call('ACL', 'SETUSER', 'lockscope', 'on', '>secret', '~*', '&*', ...rules);
  await admin.call('HSET', 'x', holderOf('A'), '1');
  const url = new URL(redis.url);
  [url.username, url.password] = ['lockscope', 'secret'];
  const releaser = releaserAt(url.href);
  expect(await releaser.send(await releaser.plan(shownLock()))).toBe('released');
  await fillQueue();
  expect(await releaser.sendHead(await headPlan(releaser))).toBe('removed');
  expect(await admin.call('ACL', 'LOG')).toEqual([]);
});

test('the release of a fair lock uses SPUBLISH if a waiter listens to its sharded channel', async () => {
  const lock = shownLock();
  const events = story('x lease 30s\n0.000 A attempts acquired\n1.000 B attempts refused\n1.001 B subscribes');
  const state = events.reduce<LockState | undefined>((known, event) => reduceLock(known, event), undefined);
  const [waiter] = state ? lockView(state, seconds(2), UNKNOWN_PRESENCE).waiters : [];
  if (!waiter) throw new Error('no waiter');
  const fair: Lock = { ...lock, kind: 'fair-lock', waiters: [waiter] };
  const releaser = releaserAt(redis.url);
  expect((await releaser.plan(fair)).words).toContain('PUBLISH');
  const listener = connect(Number(new URL(redis.url).port), '127.0.0.1');
  closing.push(() => listener.destroy());
  listener.write(`SSUBSCRIBE redisson_lock__channel:{x}:${waiter.id}\r\n`);
  await new Promise((resolve) => listener.once('data', resolve));
  expect((await releaser.plan(fair)).words).toContain('SPUBLISH');
});

const QUEUE = 'redisson_lock_queue:{x}';
const DEADLINES = 'redisson_lock_timeout:{x}';

/** The queue of `x`: A is its head, B and C are behind it. */
async function fillQueue(): Promise<void> {
  await admin.call('RPUSH', QUEUE, holderOf('A'), holderOf('B'), holderOf('C'));
  await admin.call('ZADD', DEADLINES, '1000', holderOf('A'), '2000', holderOf('B'), '3000', holderOf('C'));
}

const queue = () => admin.call('LRANGE', QUEUE, '0', '-1');

async function headPlan(releaser: Releaser) {
  const plan = await releaser.planHead(shownLock(), holderOf('A'));
  if (typeof plan === 'string') throw new Error(plan);
  return plan;
}

test('the head of a queue is removed with its deadline, and the other deadlines are unchanged', async () => {
  await fillQueue();
  const releaser = releaserAt(redis.url);
  const plan = await headPlan(releaser);
  expect(plan).toMatchObject({ head: holderOf('A'), score: '1000', next: holderOf('B'), isFree: true });
  expect(await releaser.sendHead(plan)).toBe('removed');
  expect(await queue()).toEqual([holderOf('B'), holderOf('C')]);
  const deadlines = await admin.call('ZRANGE', DEADLINES, '0', '-1', 'WITHSCORES');
  expect(deadlines).toEqual([holderOf('B'), '2000', holderOf('C'), '3000']);
  expect(await releaser.sendHead(plan)).toBe('changed');
});

test('a head without a deadline is removed, unless it has got one meanwhile', async () => {
  await fillQueue();
  await admin.call('ZREM', DEADLINES, holderOf('A'));
  const releaser = releaserAt(redis.url);
  const plan = await headPlan(releaser);
  await admin.call('ZADD', DEADLINES, '1500', holderOf('A'));
  expect(await releaser.sendHead(plan)).toBe('changed');
  await admin.call('ZREM', DEADLINES, holderOf('A'));
  expect(await releaser.sendHead(plan)).toBe('removed');
});

test('nothing is removed if the head or its deadline changed after the plan', async () => {
  await fillQueue();
  const releaser = releaserAt(redis.url);
  const plan = await headPlan(releaser);
  await admin.call('LPUSH', QUEUE, holderOf('D'));
  expect(await releaser.sendHead(plan)).toBe('changed');
  await admin.call('LPOP', QUEUE);
  await admin.call('ZADD', DEADLINES, '1001', holderOf('A'));
  expect(await releaser.sendHead(plan)).toBe('changed');
  expect(await admin.call('ZCARD', DEADLINES)).toBe(3);
  expect(await releaser.planHead(shownLock(), holderOf('B'))).toBe('changed');
});

test('a head whose channel has a listener is not removed, and the next head is woken on its sharded channel', async () => {
  await fillQueue();
  const releaser = releaserAt(redis.url);
  expect((await headPlan(releaser)).words).toContain('PUBLISH');
  const listener = connect(Number(new URL(redis.url).port), '127.0.0.1');
  closing.push(() => listener.destroy());
  const quote = () => new Promise((resolve) => listener.once('data', resolve));
  listener.write(`SSUBSCRIBE redisson_lock__channel:{x}:${holderOf('B')}\r\n`);
  await quote();
  expect((await headPlan(releaser)).words).toContain('SPUBLISH');
  listener.write(`SUBSCRIBE redisson_lock__channel:{x}:${holderOf('A')}\r\n`);
  await quote();
  expect(await releaser.planHead(shownLock(), holderOf('A'))).toBe('listened');
});
