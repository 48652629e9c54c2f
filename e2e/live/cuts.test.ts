import { afterEach, expect, test } from 'vitest';
import { ACQUIRE, type App, connectApp } from '../support/clients/app.ts';
import type { Lockscope, ToldEvent } from '../support/clients/lockscope.ts';
import { startLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

let redis: RunningRedis;
let lockscope: Lockscope;
let app: App;
let proxy: CuttingProxy | undefined;

afterEach(async () => {
  await app.close();
  await lockscope.stop();
  await proxy?.close();
  proxy = undefined;
  await redis.stop();
});

/** Starts Redis, Lockscope and an application. With `isProxied`, Lockscope connects through a proxy. */
async function start(options: { isProxied?: boolean } = {}): Promise<void> {
  redis = await startRedis({ 'notify-keyspace-events': 'Exe' });
  if (options.isProxied) proxy = await startCuttingProxy(redis.port);
  lockscope = await startLockscopeProcess(proxy ? `redis://127.0.0.1:${proxy.port}` : redis.url);
  app = await connectApp(redis.url);
  await app.acquire('held-all-along', { leaseMs: 600_000 });
  await lockscopeTells('held-all-along', 'lock.acquired');
}

async function lockscopeTells(lock: string, type: ToldEvent['type']): Promise<ToldEvent[]> {
  return waitFor(`${type} of ${lock}`, async (missing) => {
    const events = await lockscope.eventsAfter(0, { lock });
    if (events.some((event) => event.type === type)) return events;
    return missing(JSON.stringify({ events, sources: (await lockscope.health()).sources }));
  });
}

/** The blind spots so far, once the last one has ended and a snapshot was taken after it. */
async function blindSpots(count: number): Promise<ToldEvent[]> {
  return waitFor(`${count} blind spots with both ends`, async (missing) => {
    const spots = (await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'));
    const [source] = (await lockscope.health()).sources;
    const isOver = source?.status === 'observing' && (source.snapshotAt ?? 0) > (spots.at(-1)?.at ?? 0);
    return (spots.length === 2 * count && isOver && spots) || missing(JSON.stringify({ source, spots }));
  });
}

async function driftAndRejected() {
  const [source] = (await lockscope.health()).sources;
  return { drift: source?.drift, rejected: source?.rejected, level: source?.level };
}

const NOTHING_WRONG = { drift: 0, rejected: 0, level: 'monitor' };
const BOTH_ENDS = ['blind-spot.began', 'blind-spot.ended'];

test('a connection cut in the middle of a line: a blind spot with both ends, then live again by itself', async () => {
  await start({ isProxied: true });
  proxy?.cutAfter(300_000);
  await app.command('SET', 'big', 'x'.repeat(1024 * 1024));
  const spots = await blindSpots(1);
  expect(spots.map(({ type }) => type)).toEqual(BOTH_ENDS);
  expect(proxy?.cuts()).toBe(1);
  await app.acquire('after-the-cut');
  await lockscopeTells('after-the-cut', 'lock.acquired');
  expect(await lockscope.lock('held-all-along')).toMatchObject({ held: true, holders: [{ holdCount: 1 }] });
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

/** About how many bytes MONITOR sends for one line. */
function lineBytes(words: readonly string[], by = 'lua'): number {
  return `+1795218454.496776 [0 ${by}] "${words.join('" "')}"\r\n`.length;
}

test.each([0, 1, 2])('a connection cut after %i commands of a lock script: only the snapshot shows it', async (ran) => {
  await start({ isProxied: true });
  const lock = 'cut-in-two';
  const sha = String(await app.command('SCRIPT', 'LOAD', ACQUIRE));
  const words = ['EVALSHA', sha, '1', lock, '600000', app.holder()];
  const commands = [
    ['exists', lock],
    ['hincrby', lock, app.holder(), '1'],
  ];
  const before = commands.slice(0, ran).map((line) => lineBytes(line));
  const withinNextLine = 20;
  proxy?.cutAfter(before.reduce((sum, bytes) => sum + bytes, lineBytes(words, '127.0.0.1:50000') + withinNextLine));
  await app.command(...words);
  await blindSpots(1);
  await waitFor('the lock to be known', async () => (await lockscope.lock(lock))?.held === true);
  expect(await lockscope.lock(lock)).toMatchObject({ holders: [{ id: app.holder(), holdCount: 1 }] });
  expect((await lockscope.eventsAfter(0, { lock })).map(({ type }) => type)).toEqual(['lock.found']);
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('a change during a blind spot has the cause blind-spot, not unexplained', async () => {
  await start({ isProxied: true });
  await app.acquire('released-unseen', { leaseMs: 600_000 });
  await lockscopeTells('released-unseen', 'lock.acquired');
  proxy?.shut();
  await app.command('DEL', 'released-unseen');
  proxy?.open();
  await blindSpots(1);
  const healed = (await lockscopeTells('released-unseen', 'drift.healed')).at(-1);
  expect(healed).toMatchObject({ cause: 'blind-spot', found: null });
  expect(await lockscope.lock('released-unseen')).toMatchObject({ held: false });
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('a lease that ended in a blind spot is not reported as expired: its holder may have released the lock', async () => {
  await start({ isProxied: true });
  await app.acquire('ended-unseen', { leaseMs: 3000 });
  await lockscopeTells('ended-unseen', 'lock.acquired');
  proxy?.shut();
  await app.release('ended-unseen');
  await pause(3200); // the end of the lease must be in the blind spot
  proxy?.open();
  await blindSpots(1);
  const told = await lockscopeTells('ended-unseen', 'drift.healed');
  expect(told.at(-1)).toMatchObject({ cause: 'blind-spot', found: null });
  expect(told.map(({ type }) => type)).not.toContain('lease.expired');
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('a hold open when the blind spot began ends as unseen', async () => {
  await start({ isProxied: true });
  proxy?.cutAfter(0);
  await app.command('PING');
  await blindSpots(1);
  const [hold] = (await lockscope.spans('held-all-along')).filter(({ kind }) => kind === 'hold');
  expect(hold).toMatchObject({ ended: 'unseen', holder: app.holder() });
});

test('CLIENT KILL of our MONITOR connection', async () => {
  await start();
  const list = String(await app.command('CLIENT', 'LIST'));
  const id = /^id=(\d+) .* name=lockscope .* cmd=monitor/m.exec(list)?.[1] ?? '';
  await app.command('CLIENT', 'KILL', 'ID', id);
  expect((await blindSpots(1)).map(({ type }) => type)).toEqual(BOTH_ENDS);
  await app.acquire('after-the-kill');
  await lockscopeTells('after-the-kill', 'lock.acquired');
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('CLIENT KILL of both our connections, twice', async () => {
  await start();
  for (const count of [1, 2]) {
    const list = String(await app.command('CLIENT', 'LIST'));
    for (const [, id] of list.matchAll(/^id=(\d+) .* name=lockscope /gm)) {
      await app.command('CLIENT', 'KILL', 'ID', String(id));
    }
    await blindSpots(count);
  }
  await app.acquire('after-the-kills');
  await lockscopeTells('after-the-kills', 'lock.acquired');
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('Redis is killed and comes back empty on the same port', async () => {
  await start();
  await redis.crash();
  const down = await waitFor('the loss to be shown', async () => {
    const [source] = (await lockscope.health()).sources;
    return source?.status === 'reconnecting' && source.problem && source;
  });
  expect(down.problem).toMatchObject({ message: expect.stringContaining(String(redis.port)) });
  expect(down.problem?.hint).not.toBe('');
  expect((await lockscope.lock('held-all-along'))?.name).toBe('held-all-along'); // what was seen is not forgotten
  await redis.comeBack();
  const spots = await blindSpots(1);
  expect(spots.map(({ type }) => type)).toEqual(BOTH_ENDS);
  expect(spots[0]!.at).toBeLessThanOrEqual(spots[1]!.at);
  await waitFor('the lost lock to be free', async () => (await lockscope.lock('held-all-along'))?.held === false);
  app = await connectApp(redis.url);
  await app.acquire('in-the-new-life');
  await lockscopeTells('in-the-new-life', 'lock.acquired');
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test.each<[string, (through: CuttingProxy | undefined) => void]>([
  ['in pieces', (through) => through?.stallMidLine(40)],
  ['one by one', (through) => through?.stallBetweenLines(40)],
])('a script whose lines arrive %s, with pauses, is one script', async (_, stall) => {
  await start({ isProxied: true });
  stall(proxy);
  await app.acquire('in-pieces', { leaseMs: 600_000 });
  await lockscopeTells('in-pieces', 'lock.acquired');
  await app.release('in-pieces');
  const events = await lockscopeTells('in-pieces', 'wakeup.published');
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released', 'wakeup.published']);
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});

test('no event is lost if Redis stops for two seconds', async () => {
  await start();
  await redis.freeze();
  const acquired = app.acquire('while-standing-still', { leaseMs: 600_000 });
  await pause(2000);
  await redis.thaw();
  await acquired;
  await lockscopeTells('while-standing-still', 'lock.acquired');
  expect((await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'))).toEqual([]);
  expect(await driftAndRejected()).toEqual(NOTHING_WRONG);
});
