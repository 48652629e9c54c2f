import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { type ReportedEvent, sourceOf } from '../../support/lockscope/lockscope.ts';
import { inShort, untilSettled, type WatchedRedis, watchRedis } from '../../support/lockscope/watched-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

async function flagsOf({ redis }: WatchedRedis): Promise<string> {
  const reply = await redis.command('CONFIG', 'GET', 'notify-keyspace-events');
  const [value] = Object.values(reply as Record<string, string>); // in RESP3 the reply is a map
  return [...(value ?? '')].sort().join('');
}

/**
 * Acquires, re-enters and releases a lock. Waits for the event of each step, because a source that reads keys after a
 * change may see several changes as one. Returns the events in short form.
 */
async function storyOfUse({ app, lockscope }: WatchedRedis, lock: string): Promise<string[]> {
  const untilReported = (type: ReportedEvent['type']) =>
    waitFor(`${type} of ${lock}`, async () =>
      (await lockscope.eventsAfter(0, { lock })).some((event) => event.type === type),
    );
  await app.acquire(lock);
  await untilReported('lock.acquired');
  await app.acquire(lock);
  await untilReported('lock.reentered');
  await app.release(lock);
  await untilReported('lock.partially-released');
  await app.release(lock);
  await untilReported('lock.released');
  return inShort(await lockscope.eventsAfter(0, { lock }));
}

const LIFE_OF_LOCK = [
  'lock.acquired ×1 (inferred)',
  'lock.reentered ×2 (inferred)',
  'lock.partially-released ×1 (inferred)',
  'lock.released ×0 (inferred)',
];
const EVENTS = ['--observe', 'events'];

describe.each(['KA', 'Eghxe', 'KEA'])('level events with notify-keyspace-events %s', (flags) => {
  let watched: WatchedRedis;
  beforeAll(async () => {
    watched = await watchRedis({ 'notify-keyspace-events': flags }, EVENTS);
  });
  afterAll(() => watched?.end());

  test('an acquisition, a re-entry and both releases of a lock are reported', async () => {
    expect(await sourceOf(watched.lockscope)).toMatchObject({ level: 'events', keyEvents: 'notifications' });
    const reported = await storyOfUse(watched, 'by-events');
    expect(reported.filter((event) => event !== 'wakeup.published')).toEqual(LIFE_OF_LOCK);
    expect(reported).toContain('wakeup.published');
    expect((await sourceOf(watched.lockscope)).drift).toBe(0);
  });

  test('an expired lease, and a key that a plain command deleted, are reported as expiry and deletion', async () => {
    await watched.app.acquire('runs-out');
    await watched.eventsUntil('runs-out', 'lock.acquired');
    await watched.app.command('PEXPIRE', 'runs-out', '50');
    await watched.eventsUntil('runs-out', 'lease.expired');
    await watched.app.acquire('deleted');
    await watched.eventsUntil('deleted', 'lock.acquired');
    await watched.app.command('DEL', 'deleted');
    await watched.eventsUntil('deleted', 'lock.deleted');
    expect(await watched.lockscope.lock('deleted')).toMatchObject({ held: false });
  });

  test('a key that is not a lock has no event', async () => {
    await watched.app.command('HSET', 'a-user', 'name', 'Ada');
    await watched.app.command('DEL', 'a-user');
    await watched.app.acquire('a-lock');
    await watched.eventsUntil('a-lock', 'lock.acquired');
    const named = (await watched.lockscope.eventsAfter(0)).map(({ lock }) => lock);
    expect(named).toContain('a-lock');
    expect(named).not.toContain('a-user');
  });

  test('the source reports what it cannot see', async () => {
    const { unseen, cannotSee } = await sourceOf(watched.lockscope);
    expect(unseen.map(({ code }) => code)).toContain('unseen-attempts');
    expect(cannotSee).toEqual(unseen.map(({ message }) => message));
  });

  test('an unknown level, and a time that is too short, are refused, and the error names the field', async () => {
    const ask = (body: object, source = 'redis') => watched.lockscope.post(`/api/sources/${source}/observe`, body);
    const refusal = (field: string) => ({ status: 400, body: { error: { message: expect.stringContaining(field) } } });
    expect(await ask({ level: 'everything' })).toMatchObject(refusal('level'));
    expect(await ask({ level: 'events', forMs: 1 })).toMatchObject(refusal('forMs'));
    expect((await ask({ level: 'events' }, 'nobody')).status).toBe(404);
  });
});

let watched: WatchedRedis | undefined;
afterEach(async () => {
  await watched?.end();
  watched = undefined;
});

async function watch(settings: Record<string, string>, flags: readonly string[]): Promise<WatchedRedis> {
  watched = await watchRedis(settings, flags);
  return watched;
}

test('level events without notifications: client tracking follows known locks', async () => {
  const running = await watch({}, EVENTS);
  const source = await sourceOf(running.lockscope);
  expect(source).toMatchObject({ level: 'events', keyEvents: 'tracking' });
  expect(source.unseen.map(({ code }) => code)).toContain('unseen-new-locks');
  await running.app.acquire('found-by-scan');
  await waitFor('the scan to find it', async () => running.lockscope.lock('found-by-scan'));
  await running.app.acquire('found-by-scan');
  await running.eventsUntil('found-by-scan', 'lock.reentered');
  await running.app.release('found-by-scan');
  await running.app.release('found-by-scan');
  await waitFor('its end', async () => (await running.lockscope.lock('found-by-scan'))?.held === false);
});

test.each([
  ['nothing', ''],
  ["another application's flags", 'Kxl'],
])('--configure-notifications adds the missing flags to %s, and restores the setting on exit', async (_, before) => {
  const running = await watch({ 'notify-keyspace-events': before }, [...EVENTS, '--configure-notifications']);
  const during = await flagsOf(running);
  for (const flag of [...before, 'E', 'g', 'h', 'x', 'e']) expect(during).toContain(flag);
  expect(await storyOfUse(running, 'configured')).toContain('lock.released ×0 (inferred)');
  await running.lockscope.stop();
  expect(await flagsOf(running)).toBe([...before].sort().join(''));
});

test('level snapshot shows current holders and hold counts', async () => {
  const running = await watch({}, ['--observe', 'snapshot']);
  expect(await sourceOf(running.lockscope)).toMatchObject({ level: 'snapshot', keyEvents: 'off' });
  await running.app.acquire('seen-now-and-then');
  await running.app.acquire('seen-now-and-then');
  const lock = await waitFor('both holds to be seen', async (missing) => {
    const seen = await running.lockscope.lock('seen-now-and-then');
    return seen?.holders[0]?.holdCount === 2 ? seen : missing(JSON.stringify(seen));
  });
  expect(lock).toMatchObject({ held: true, holders: [{ id: running.app.holder(), holdCount: 2 }] });
  for (const _ of [1, 2]) await running.app.release('seen-now-and-then');
  await waitFor('its end', async () => (await running.lockscope.lock('seen-now-and-then'))?.held === false);
  expect((await sourceOf(running.lockscope)).drift).toBe(0);
});

test('at level monitor, key events that another client enables are received without a blind spot', async () => {
  const running = await watch({}, ['--observe', 'monitor']);
  expect(await sourceOf(running.lockscope)).toMatchObject({ level: 'monitor', keyEvents: 'off' });
  await running.app.command('CONFIG', 'SET', 'notify-keyspace-events', 'Eghxe');
  await waitFor('key events', async () => (await sourceOf(running.lockscope)).keyEvents === 'notifications');
  await running.app.acquire('heard');
  await running.app.command('PEXPIRE', 'heard', '50');
  expect((await running.eventsUntil('heard', 'lease.expired')).at(-1)).toMatchObject({ certainty: 'observed' });
  expect((await running.lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'))).toEqual([]);
});

test('the level switches to monitor for a while and back by itself, with a blind spot at each switch', async () => {
  const running = await watch({ 'notify-keyspace-events': 'Eghxe' }, EVENTS);
  const { lockscope, app } = running;
  const observe = (forMs: number) => lockscope.post('/api/sources/redis/observe', { level: 'monitor', forMs });
  expect(await observe(600_000)).toMatchObject({ status: 200, body: { v: 1, source: { id: 'redis' } } });
  await untilSettled(lockscope, 'monitor', 1);
  await app.acquire('contended');
  const other = await connectApp(running.redis.url);
  await other.acquire('contended'); // a refused attempt, which only MONITOR shows
  await other.close();
  await running.eventsUntil('contended', 'lock.refused');
  await observe(1000);
  await untilSettled(lockscope, 'events', 2);
  await app.release('contended');
  const all = await running.eventsUntil('contended', 'lock.released');
  expect(all.map(({ type }) => type)).toEqual(expect.arrayContaining(['lock.acquired', 'lock.refused']));
  const ends = (await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'));
  expect(ends.map(({ type }) => type)).toEqual([
    ...['blind-spot.began', 'blind-spot.ended'],
    ...['blind-spot.began', 'blind-spot.ended'],
  ]);
  expect((await sourceOf(running.lockscope)).drift).toBe(0);
});
