import { afterEach, describe, expect, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { type Lockscope, startLockscope, type ToldEvent } from '../support/clients/lockscope.ts';
import { inShort, type WatchedRedis, watchRedis } from '../support/clients/watched-redis.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

let watched: WatchedRedis | undefined;
afterEach(async () => {
  await watched?.end();
  watched = undefined;
});

async function sourceOf({ lockscope }: { lockscope: Lockscope }) {
  const [source] = (await lockscope.health()).sources;
  if (!source) throw new Error('no source');
  return source;
}

async function flagsOf({ app }: WatchedRedis): Promise<string> {
  const reply = await app.command('CONFIG', 'GET', 'notify-keyspace-events');
  const [value] = Object.values(reply as Record<string, string>); // RESP3: a map
  return [...(value ?? '')].sort().join('');
}

/** Whether it observes at that level, has had this many blind spots, and took a snapshot after the last one. */
async function hasSettled(lockscope: Lockscope, level: string, blindSpots: number): Promise<boolean> {
  const ends = (await lockscope.eventsAfter(0)).filter(({ type }) => type === 'blind-spot.ended');
  const { level: now, status, snapshotAt } = await sourceOf({ lockscope });
  const isFresh = ends.length === blindSpots && (snapshotAt ?? 0) > (ends.at(-1)?.at ?? 0);
  return now === level && status === 'observing' && isFresh;
}

/** Uses one lock, slowly enough for a feed that reads keys after each change. */
async function live({ app, lockscope }: WatchedRedis, lock: string): Promise<string[]> {
  const untilTold = (type: ToldEvent['type']) =>
    waitFor(`${type} of ${lock}`, async () =>
      (await lockscope.eventsAfter(0, { lock })).some((event) => event.type === type),
    );
  await app.acquire(lock);
  await untilTold('lock.acquired');
  await app.acquire(lock);
  await untilTold('lock.reentered');
  await app.release(lock);
  await untilTold('lock.partially-released');
  await app.release(lock);
  await untilTold('lock.released');
  return inShort(await lockscope.eventsAfter(0, { lock }));
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
/** A scan begins every 10 s. */
const PAST_A_SCAN_MS = 11_000;
/** A fast machine could acquire more new locks in that time than Lockscope can keep in memory. */
const NEW_LOCKS = { atOnce: 100, every: 50 };
const LIFE = [
  'lock.acquired ×1 (inferred)',
  'lock.reentered ×2 (inferred)',
  'lock.partially-released ×1 (inferred)',
  'lock.released ×0 (inferred)',
];

describe('level events', () => {
  test.each(['KA', 'Eghxe', 'KEA'])('with notify-keyspace-events %s: every change of a lock', async (flags) => {
    watched = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
    expect(await sourceOf(watched)).toMatchObject({ level: 'events', keyEvents: 'notifications' });
    const told = await live(watched, 'by-events');
    expect(told.filter((event) => event !== 'wakeup.published')).toEqual(LIFE);
    expect(told).toContain('wakeup.published');
    expect((await sourceOf(watched)).drift).toBe(0);
  });

  test('an expired lease and a key deleted by a plain command are reported as such', async () => {
    watched = await watchRedis({ 'notify-keyspace-events': 'Eghxe' }, ['--observe', 'events']);
    await watched.app.acquire('runs-out', { leaseMs: 600_000 });
    await watched.eventsUntil('runs-out', 'lock.acquired');
    await watched.app.command('PEXPIRE', 'runs-out', '500');
    expect((await watched.eventsUntil('runs-out', 'lease.expired')).at(-1)).toMatchObject({ certainty: 'observed' });
    await watched.app.acquire('deleted');
    await watched.eventsUntil('deleted', 'lock.acquired');
    await watched.app.command('DEL', 'deleted');
    await watched.eventsUntil('deleted', 'lock.deleted');
    expect(await watched.lockscope.lock('deleted')).toMatchObject({ held: false });
  });

  test('a new lock that a scan reads before the read of its key event is still reported as acquired', async () => {
    watched = await watchRedis({ 'notify-keyspace-events': 'Eghxe' }, ['--observe', 'events']);
    const { lockscope, app } = watched;
    await waitFor('the first scan', async () => (await sourceOf({ lockscope })).missing === undefined);
    const names: string[] = [];
    for (const end = performance.now() + PAST_A_SCAN_MS; performance.now() < end; ) {
      const name = `${letters[names.length % letters.length]}-${names.length}`; // names of many patterns
      names.push(name);
      await app.acquire(name, { leaseMs: 600_000 });
      if (names.length % NEW_LOCKS.atOnce === 0) await pause(NEW_LOCKS.every);
    }
    const told = await waitFor('every lock', async (missing) => {
      const events = (await lockscope.eventsAfter(0)).filter(({ lock }) => lock !== '');
      const locks = new Set(events.map(({ lock }) => lock));
      return locks.size === names.length ? events : missing(`${locks.size} of ${names.length}`);
    });
    expect(told.filter(({ type }) => type !== 'lock.acquired')).toEqual([]);
  });

  test('reports what it cannot see', async () => {
    watched = await watchRedis({ 'notify-keyspace-events': 'Eghxe' }, ['--observe', 'events']);
    const { unseen, cannotSee } = await sourceOf(watched);
    expect(unseen.map(({ code }) => code)).toContain('unseen-attempts');
    expect(cannotSee).toEqual(unseen.map(({ message }) => message));
  });

  test('without notifications: client tracking follows known locks', async () => {
    watched = await watchRedis({}, ['--observe', 'events']);
    const source = await sourceOf(watched);
    expect(source).toMatchObject({ level: 'events', keyEvents: 'tracking' });
    expect(source.unseen.map(({ code }) => code)).toContain('unseen-new-locks');
    await watched.app.acquire('found-by-scan');
    await waitFor('the scan to find it', async () => watched?.lockscope.lock('found-by-scan'));
    await watched.app.acquire('found-by-scan');
    await watched.eventsUntil('found-by-scan', 'lock.reentered');
    await watched.app.release('found-by-scan');
    await watched.app.release('found-by-scan');
    await waitFor('its end', async () => (await watched?.lockscope.lock('found-by-scan'))?.held === false);
  });

  test.each([
    ['nothing', ''],
    ["another application's flags", 'Kxl'],
  ])('--configure-notifications adds the missing flags to %s, and restores the setting on exit', async (_, before) => {
    const redis = await startRedis({ 'notify-keyspace-events': before });
    const lockscope = await startLockscope(redis.url, ['--observe', 'events', '--configure-notifications']);
    const app = await connectApp(redis.url);
    watched = { redis, lockscope, app } as unknown as WatchedRedis; // only for the two helpers above
    try {
      const during = await flagsOf(watched);
      for (const flag of [...before, 'E', 'g', 'h', 'x', 'e']) expect(during).toContain(flag);
      expect(await live(watched, 'configured')).toContain('lock.released ×0 (inferred)');
      await lockscope.stop();
      // on a busy machine Redis may not answer in time, and the warning promises this
      if (lockscope.output().includes('The next run there restores it'))
        await (await startLockscope(redis.url, ['--observe', 'events'])).stop();
      expect(await flagsOf(watched)).toBe([...before].sort().join(''));
    } finally {
      watched = undefined;
      await app.close();
      await lockscope.stop();
      await redis.stop();
    }
  });
});

test('level snapshot: current holders, counts and leases', async () => {
  watched = await watchRedis({}, ['--observe', 'snapshot']);
  expect(await sourceOf(watched)).toMatchObject({ level: 'snapshot', keyEvents: 'off' });
  await watched.app.acquire('seen-now-and-then');
  await watched.app.acquire('seen-now-and-then');
  const lock = await waitFor('both holds to be seen', async (missing) => {
    const seen = await watched?.lockscope.lock('seen-now-and-then');
    return seen?.holders[0]?.holdCount === 2 ? seen : missing(JSON.stringify(seen));
  });
  expect(lock).toMatchObject({ held: true, holders: [{ id: watched.app.holder(), holdCount: 2 }] });
  for (const _ of [1, 2]) await watched.app.release('seen-now-and-then');
  await waitFor('its end', async () => (await watched?.lockscope.lock('seen-now-and-then'))?.held === false);
  expect((await sourceOf(watched)).drift).toBe(0);
});

describe('switching the level', () => {
  test('at monitor, key events that another client enables are received without a blind spot', async () => {
    watched = await watchRedis();
    const { lockscope, app } = watched;
    expect(await sourceOf(watched)).toMatchObject({ level: 'monitor', keyEvents: 'off' });
    await app.command('CONFIG', 'SET', 'notify-keyspace-events', 'Eghxe');
    await waitFor('key events', async () => (await sourceOf({ lockscope })).keyEvents === 'notifications');
    await app.acquire('heard', { leaseMs: 500 });
    expect((await watched.eventsUntil('heard', 'lease.expired')).at(-1)).toMatchObject({ certainty: 'observed' });
    expect((await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'))).toEqual([]);
  });

  test('to monitor for a while and back by itself, with a blind spot at each switch', async () => {
    watched = await watchRedis({ 'notify-keyspace-events': 'Eghxe' }, ['--observe', 'events']);
    const { lockscope, app } = watched;
    const { status, body } = await lockscope.post('/api/sources/redis/observe', { level: 'monitor', forMs: 600_000 });
    expect({ status, body }).toMatchObject({ status: 200, body: { v: 1, source: { id: 'redis' } } });
    await waitFor('monitor', () => hasSettled(lockscope, 'monitor', 1));
    await app.acquire('contended');
    const other = await connectApp(watched.redis.url);
    await other.acquire('contended'); // a refused attempt: only MONITOR shows it
    await other.close();
    await watched.eventsUntil('contended', 'lock.refused');
    await lockscope.post('/api/sources/redis/observe', { level: 'monitor', forMs: 1000 });
    await waitFor('events again', () => hasSettled(lockscope, 'events', 2));
    await app.release('contended');
    const all = await watched.eventsUntil('contended', 'lock.released');
    expect(all.map(({ type }) => type)).toEqual(expect.arrayContaining(['lock.acquired', 'lock.refused']));
    const ends = (await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'));
    expect(ends.map(({ type }) => type)).toEqual([
      'blind-spot.began',
      'blind-spot.ended',
      'blind-spot.began',
      'blind-spot.ended',
    ]);
    expect((await sourceOf({ lockscope })).drift).toBe(0);
  });

  test('an unknown level or time is refused, and the error names it', async () => {
    watched = await watchRedis();
    const wrong = await watched.lockscope.post('/api/sources/redis/observe', { level: 'everything' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('level') } } });
    const short = await watched.lockscope.post('/api/sources/redis/observe', { level: 'events', forMs: 1 });
    expect(short).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('forMs') } } });
    expect((await watched.lockscope.post('/api/sources/nobody/observe', { level: 'events' })).status).toBe(404);
  });
});

test('keys that are not locks are not reported anywhere', async () => {
  watched = await watchRedis({ 'notify-keyspace-events': 'KEA' }, ['--observe', 'events']);
  await watched.app.command('HSET', 'a-user', 'name', 'Ada');
  await watched.app.command('DEL', 'a-user');
  await watched.app.acquire('a-lock');
  await watched.eventsUntil('a-lock', 'lock.acquired');
  const named = (await watched.lockscope.eventsAfter(0)).map(({ lock }) => lock).filter((lock) => lock !== '');
  expect(new Set(named)).toEqual(new Set(['a-lock']));
});
