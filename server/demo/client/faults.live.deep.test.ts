import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandConnection, openCommandConnection } from '../../redis/connection/command-connection.ts';
import { groupsOf } from '../testing/groups.ts';
import { TestBed } from '../testing/test-bed.ts';

const LOCK = 'orders:42';
const OK = { ok: true, result: 'ok' };
let bed: TestBed;
let redis: CommandConnection;
beforeEach(async () => {
  bed = await TestBed.start();
  redis = openCommandConnection({ url: bed.redis.url });
  await redis.whenReady(60_000);
});
afterEach(async () => {
  redis.close();
  await bed.end();
});

const isAttempt = (attempt: number) => (milestone: object) => 'attempt' in milestone && milestone.attempt === attempt;

test('after a holder is killed, its lease expires and the waiter acquires by its own timer', async () => {
  const [a, b] = [await bed.client('a', 3000), await bed.client('b', 3000)];
  await a.ask(1, 'lock', LOCK);
  const waiting = b.ask(1, 'lock', LOCK);
  await b.reported('refused', isAttempt(2));
  const lost = a.ask(2, 'lock', LOCK);
  await a.process.kill();
  expect(await lost).toMatchObject({ ok: false, isLost: true });
  expect(await waiting).toEqual(OK);
  expect(await b.reported('acquired')).toMatchObject({ wokenBy: 'own-timer' });
  expect(await redis.call('HGETALL', LOCK)).toEqual([`${b.uuid}:1`, '1']);
});

test('a frozen holder loses the lock: after it continues, its renewal and its unlock are refused', async () => {
  const [a, b] = [await bed.client('a', 3000), await bed.client('b', 3000)];
  await a.ask(1, 'lock', LOCK);
  const waiting = b.ask(1, 'lock', LOCK);
  await b.reported('refused', isAttempt(2));
  a.process.freeze();
  expect(await waiting).toEqual(OK);
  expect(a.milestones.some((milestone) => milestone.name === 'renewal-refused')).toBe(false);
  a.process.thaw();
  await a.reported('renewal-refused');
  expect(await a.ask(1, 'unlock', LOCK)).toEqual({
    ok: false,
    result: `IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: ${a.uuid} thread-id: 1`,
  });
  expect(await redis.call('HGETALL', LOCK)).toEqual([`${b.uuid}:1`, '1']);
  expect(a.truths.at(-1)).toMatchObject({ phase: 'returned', error: 'IllegalMonitorStateException' });
});

test('tryLock without a time limit attempts once; with a limit it gives up after further attempts, and unsubscribes', async () => {
  const [a, b] = [await bed.client('a'), await bed.client('b')];
  await a.ask(1, 'lock', LOCK);
  expect(await b.ask(1, 'tryLock', LOCK)).toEqual({ ok: true, result: 'false' });
  expect(b.milestones.map((milestone) => milestone.name)).toEqual(['refused']);
  expect(await b.ask(1, 'tryLock', LOCK, { waitMs: 6000 })).toEqual({ ok: true, result: 'false' });
  await b.reported('unsubscribed');
  expect(b.milestones.map((milestone) => milestone.name)).toEqual([
    'refused',
    'refused',
    'subscribed',
    'refused',
    'gave-up',
    'unsubscribed',
  ]);
});

test('tryLock with an explicit lease succeeds after the first lease has expired, and is not renewed', async () => {
  const [a, b] = [await bed.client('a', 1800), await bed.client('b', 1800)];
  await a.ask(1, 'lock', LOCK, { leaseMs: 700 });
  expect(await b.ask(1, 'tryLock', LOCK, { waitMs: 20_000, leaseMs: 1200 })).toEqual({ ok: true, result: 'true' });
  await expect.poll(() => redis.call('EXISTS', LOCK)).toBe(0);
  expect(await b.ask(1, 'unlock', LOCK)).toMatchObject({ ok: false });
  expect(b.milestones.some((milestone) => milestone.name === 'renewed')).toBe(false);
});

test('the watchdog continues after a partial release and stops after the last release', async () => {
  const a = await bed.client('a', 6000);
  await a.ask(1, 'lock', LOCK);
  await a.ask(1, 'lock', LOCK);
  await a.ask(1, 'unlock', LOCK);
  const before = a.milestones.length;
  await a.reported('renewed', (milestone) => a.milestones.indexOf(milestone) >= before);
  await a.ask(1, 'unlock', LOCK);
  const released = a.milestones.length;
  await a.ask(2, 'lock', 'other');
  await a.reported('renewed', (milestone) => milestone.lock === 'other');
  const since = a.milestones.slice(released).filter((milestone) => milestone.name.startsWith('renew'));
  expect(since.map((milestone) => milestone.lock)).not.toContain(LOCK);
});

test('after an unlock that failed, no watchdog renews the hold, and its lease expires', async () => {
  const [a, b] = [await bed.client('a', 6000), await bed.client('b')];
  await a.ask(1, 'lock', LOCK);
  await redis.call('CLIENT', 'PAUSE', '60000', 'WRITE');
  const unlocking = a.ask(1, 'unlock', LOCK);
  await expect.poll(async () => String(await redis.call('INFO', 'clients'))).toMatch(/blocked_clients:[1-9]/);
  await a.process.cut();
  expect(await unlocking).toMatchObject({ ok: false });
  await a.process.heal();
  await redis.call('CLIENT', 'UNPAUSE');
  expect(await b.ask(1, 'tryLock', LOCK, { waitMs: 15_000 })).toEqual({ ok: true, result: 'true' });
});

test('the watchdog renews all its locks in one script, except those with an explicit lease', async () => {
  const a = await bed.client('a', 3000);
  await a.ask(1, 'lock', 'one');
  await a.ask(2, 'lock', 'two');
  await a.ask(3, 'lock', 'three', { leaseMs: 60_000 });
  await a.reported('renewed', (milestone) => milestone.lock === 'two');
  const renewal = groupsOf(await bed.tap.caughtUp()).find(
    ({ inner }) => inner[0]?.[0] === 'hexists' && inner.length === 4,
  );
  expect(renewal?.head.slice(2)).toEqual(['2', 'one', 'two', '3000', `${a.uuid}:1`, `${a.uuid}:2`]);
  expect(renewal?.inner).toEqual([
    ['hexists', 'one', `${a.uuid}:1`],
    ['pexpire', 'one', '3000'],
    ['hexists', 'two', `${a.uuid}:2`],
    ['pexpire', 'two', '3000'],
  ]);
});
