import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CommandConnection, openCommandConnection } from '../../redis/connection/command-connection.ts';
import { groupsOf } from '../testing/groups.ts';
import { TestBed, type TestClient } from '../testing/test-bed.ts';

const OK = { ok: true, result: 'ok' };
let bed: TestBed;
let redis: CommandConnection;
let a: TestClient;
let b: TestClient;

beforeAll(async () => {
  bed = await TestBed.start();
  redis = openCommandConnection({ url: bed.redis.url });
  await redis.whenReady(60_000);
  [a, b] = [await bed.client('a'), await bed.client('b')];
});
afterEach(async () => {
  for (const { process } of [a, b]) await process.settle();
});
afterAll(async () => {
  redis?.close();
  await bed?.end();
});

/** Waits until a thread is asleep: its second attempt came after it had subscribed. */
const untilAsleep = (client: TestClient, lock: string) =>
  client.reported(
    'refused',
    (milestone) => milestone.lock === lock && 'attempt' in milestone && milestone.attempt === 2,
  );

test('a partial release sets the lease with which the lock was acquired', async () => {
  const lock = 'released-in-part';
  await a.ask(1, 'lock', lock, { leaseMs: 50_000 });
  await a.ask(1, 'lock', lock, { leaseMs: 50_000 });
  await a.ask(1, 'unlock', lock);
  const release = groupsOf(await bed.tap.caughtUp()).find(({ inner }) => inner[0]?.[0] === 'get' && inner.length > 2);
  expect(release?.inner[3]).toEqual(['pexpire', lock, '50000']);
});

test('operations of a client whose connections are cut fail; after heal it is connected and subscribed again', async () => {
  const lock = 'cut';
  await a.ask(1, 'lock', lock);
  const waiting = b.ask(1, 'lock', lock);
  await untilAsleep(b, lock);
  await b.process.cut();
  const failed = await b.ask(2, 'lock', lock);
  expect(failed.ok).toBe(false);
  expect(failed.result).toMatch(/^ConnectionLost: no connection to Redis/);
  await b.process.heal();
  const channel = `redisson_lock__channel:{${lock}}`;
  await expect.poll(() => redis.call('PUBSUB', 'NUMSUB', channel)).toEqual([channel, 1]);
  await a.ask(1, 'unlock', lock);
  expect(await waiting).toEqual(OK);
  expect(await b.reported('acquired', (milestone) => milestone.lock === lock)).toMatchObject({ wokenBy: 'message' });
});

test('operations of one thread run in order, those of different threads concurrently', async () => {
  const [lock, other] = ['in-order', 'in-order:other'];
  await a.ask(1, 'lock', lock);
  await Promise.all([
    a.ask(2, 'lock', lock),
    a.ask(2, 'unlock', lock),
    a.ask(1, 'tryLock', other),
    a.ask(1, 'unlock', lock),
  ]);
  const order = a.truths
    .filter((truth) => truth.lock.startsWith(lock))
    .map(({ thread, action, lock, phase }) => `${thread} ${action} ${lock} ${phase}`);
  expect(order.filter((line) => line.startsWith('2'))).toEqual([
    `2 lock ${lock} called`,
    `2 lock ${lock} returned`,
    `2 unlock ${lock} called`,
    `2 unlock ${lock} returned`,
  ]);
  expect(order.indexOf(`1 tryLock ${other} returned`)).toBeLessThan(order.indexOf(`2 lock ${lock} returned`));
});

test('settle interrupts a wait, and releases a hold that its thread acquired twice', async () => {
  const lock = 'settled';
  await a.ask(1, 'lock', lock);
  await a.ask(1, 'lock', lock);
  const waiting = b.ask(1, 'lock', lock);
  await untilAsleep(b, lock);
  await b.process.settle();
  expect(await waiting).toEqual({ ok: false, result: 'InterruptedException: the wait was interrupted' });
  await a.process.settle();
  expect(await redis.call('EXISTS', lock)).toBe(0);
  expect(await b.ask(1, 'lock', lock)).toEqual(OK);
});
