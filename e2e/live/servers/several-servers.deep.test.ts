import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { withoutPause } from '../../support/clients/without-pause.ts';
import { type Lockscope, type ReportedEvent, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let servers: RunningRedis[];
let lockscope: Lockscope;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis(), startRedis()]);
  const [first, ...others] = servers.map(({ url }) => url);
  lockscope = await startLockscope(first ?? '', [...others, '--observe', 'monitor']);
});

afterAll(async () => {
  await lockscope?.stop();
  await Promise.all((servers ?? []).map((server) => server.stop()));
});

/** One application: for each server a client with its own uuid. */
function startApplication(): Promise<App[]> {
  return Promise.all(servers.map(({ url }) => connectApp(url)));
}

/**
 * Runs a call on all servers at once. A real client goes from server to server within 1 ms; a busy machine takes
 * longer.
 */
async function onAll(apps: readonly App[], call: (app: App) => Promise<unknown>): Promise<void> {
  await Promise.all(apps.map(call));
}

/** The events of one lock, apart from wake-ups, once there are `count` of them. */
function eventsOf(lock: string, count: number): Promise<ReportedEvent[]> {
  return waitFor(`${count} events of ${lock}`, async (missing) => {
    const all = await lockscope.eventsAfter(0, { lock });
    const own = all.filter(({ type }) => type !== 'wakeup.published');
    return own.length >= count ? own : missing(JSON.stringify(own.map(({ type, source }) => `${source} ${type}`)));
  });
}

test('[G5] a RedLock over three servers is one group, even if another client attempts it at the same time', async () => {
  const [mine, other] = [await startApplication(), await startApplication()];
  let lock = '';
  const [acquired = [], refused = []] = await withoutPause(async (nth) => {
    if (nth > 1) await onAll(mine, (app) => app.release(lock, { thread: 62 }));
    lock = `pay:${nth}`;
    await onAll(mine, (app) => app.acquire(lock, { thread: 62 }));
    await onAll(other, (app) => app.acquire(lock, { thread: 63 }));
    const taken = await eventsOf(lock, 6);
    return ['lock.acquired', 'lock.refused'].map((type) => taken.filter((event) => event.type === type));
  });
  const groupsOf = (events: readonly ReportedEvent[]) => [...new Set(events.map((event) => event.group))];
  const [group, ...more] = groupsOf(acquired);
  expect([typeof group, more]).toEqual(['string', []]);
  expect(groupsOf(refused)).toEqual([expect.any(String)]);
  expect(groupsOf(refused)).not.toEqual([group]);

  const held = (await lockscope.locks()).filter(({ name }) => name === lock);
  expect(held.map(({ source }) => source).sort()).toEqual(
    (await lockscope.health()).sources.map(({ id }) => id).sort(),
  );
  expect(held.map(({ holders }) => holders[0]?.group)).toEqual([group, group, group]);
  await onAll(mine, (app) => app.release(lock, { thread: 62 }));
  const all = await eventsOf(lock, 9);
  expect(all.flatMap((event) => event.groupEnd ?? [])).toEqual(['released']);
  const { body } = await lockscope.get(`/api/events?group=${group}`);
  expect((body as { events: ReportedEvent[] }).events).toHaveLength(6); // the body matches the contract
});

test('[G6] if one server is down, its source reconnects, the others continue, and two locks of three are a RedLock', async () => {
  const [, second] = servers;
  const [first, , third] = (await startApplication()) as [App, App, App]; // one client for each server
  await second?.crash();
  await waitFor('the source to be lost', async (missing) => {
    const states = (await lockscope.health()).sources.map(({ status }) => status);
    return states.filter((status) => status === 'reconnecting').length === 1 || missing(states.join());
  });
  await onAll([first, third], (app) => app.acquire('stock', { thread: 7 }));
  const taken = await eventsOf('stock', 2);
  expect(taken.map(({ group }) => group)).toEqual([expect.any(String), taken[0]?.group]);
  await onAll([first, third], (app) => app.release('stock', { thread: 7 }));
  const all = await eventsOf('stock', 4);
  expect(new Set(all.map(({ group }) => group)).size).toBe(1);
  expect(all.flatMap((event) => event.groupEnd ?? [])).toEqual(['released']);
  await second?.comeBack();
  await waitFor('all sources', async (missing) => {
    const states = (await lockscope.health()).sources.map(({ status }) => status);
    return states.every((status) => status === 'observing') || missing(states.join());
  });
});
