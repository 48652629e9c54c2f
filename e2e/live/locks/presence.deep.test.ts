import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientBody, clientsBody } from '../../../shared/wire/clients.ts';
import { type DemoProcess, startDemoProcess } from '../../support/lockscope/demo-process.ts';
import type { Lockscope, ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

const IDLE_AFTER_MS = 35_000;
const LOCK = 'orders:presence';
let redis: RunningRedis;
let lockscope: Lockscope;
let clients: DemoProcess[] = [];
const file = join(tmpdir(), `presence-${process.pid}.lockscope`);

beforeEach(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url, ['--observe', 'monitor', '--record', file]);
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.kill()));
  clients = [];
  await lockscope.stop();
  await redis.stop();
  await rm(file, { force: true });
});

async function holder(name: string, lock = LOCK): Promise<DemoProcess> {
  const client = await startDemoProcess({ name, redisUrl: redis.url, threads: 2, watchdogMs: 60_000 });
  clients.push(client);
  await client.ask({ thread: 1, action: 'lock', lock });
  return client;
}

/** Makes Redis log every command in its slow log. */
async function logEveryCommand(): Promise<void> {
  await redis.command('CONFIG', 'SET', 'slowlog-max-len', '100000');
  await redis.command('CONFIG', 'SET', 'slowlog-log-slower-than', '0');
}

/** The times of all CLIENT LIST commands in the slow log, in whole seconds of Redis's clock. */
async function listsAsked(): Promise<number[]> {
  const log = (await redis.command('SLOWLOG', 'GET', '100000')) as [number, number, number, string[]][]; // SLOWLOG replies in this form
  return log.filter(([, , , words]) => words.join(' ') === 'CLIENT LIST').map(([, second]) => second);
}

/** Every event about clients, or about one client. */
async function presenceOf(uuid?: string, from = lockscope) {
  const events = (await from.eventsAfter(0)).filter(isOfClient);
  return uuid === undefined ? events : events.filter(({ client }) => client === uuid);
}

function isOfClient(event: ReportedEvent): event is Extract<ReportedEvent, { type: `client.${string}` }> {
  return event.type.startsWith('client.');
}

const presence = (uuid: string, type: string) =>
  waitFor(`${type} of ${uuid}`, async (missing) => {
    const reported = await presenceOf(uuid);
    return reported.find((event) => event.type === type) ?? missing(JSON.stringify(reported));
  });

test('[O3] a killed holder is reported as gone after two client lists at most, with its address, and as connected at an earlier instant', async () => {
  const dead = await holder('order-svc-1');
  const connected = await presence(dead.uuid, 'client.connected');
  const [acquired] = await lockscope.eventsAfter(0, { lock: LOCK });
  expect(connected).toMatchObject({ name: 'order-svc-1', certainty: 'observed', lock: '' });
  expect(connected.addresses).toContain(acquired?.by);
  const before = Number(connected.at) + 1;

  await logEveryCommand();
  await dead.kill();
  const killedAt = Date.now();
  const gone = await presence(dead.uuid, 'client.gone');
  expect(gone).toMatchObject({ name: 'order-svc-1', certainty: 'inferred' });
  expect(gone.addresses).toContain(acquired?.by);
  expect(gone.since / 1000).toBeLessThan(killedAt + 500);
  expect(gone.since).toBeGreaterThanOrEqual(connected.at);
  // The first list without the client shows that it is gone. If its last command was less than 1 s before that list,
  // only the second one does.
  expect((await listsAsked()).filter((second) => second * 1e6 <= gone.at).length).toBeLessThanOrEqual(2);

  const [held] = (await lockscope.lock(LOCK))?.holders ?? [];
  expect(held).toMatchObject({ presence: 'gone', goneSince: gone.since });
  expect(gone.addresses).toContain(held?.address);
  const now = clientsBody.parse((await lockscope.get('/api/clients?presence=gone')).body);
  expect(now.clients).toMatchObject([{ client: dead.uuid, goneSince: gone.since, holds: [{ lock: LOCK }] }]);
  const then = clientBody.parse((await lockscope.get(`/api/clients/${dead.uuid}?at=${before}`)).body);
  expect(then).toMatchObject({ presence: 'connected', goneSince: null, holds: [{ lock: LOCK, holdCount: 1 }] });
  const past = (await lockscope.get(`/api/locks/${LOCK}?at=${before}`)).body;
  expect(past).toMatchObject({ holders: [{ presence: 'connected', goneSince: null }] });

  const restarted = await holder('order-svc-1', `${LOCK}:2`);
  expect(await presence(restarted.uuid, 'client.connected')).toMatchObject({ name: 'order-svc-1' });
});

test('[O4] a holder whose connections are cut is never reported as gone, and is connected as soon as it runs a script', async () => {
  const alive = await holder('order-svc-2');
  await presence(alive.uuid, 'client.connected');
  const listed = String(await redis.command('CLIENT', 'LIST'));
  const own = [...listed.matchAll(/^id=(\d+) .* name=order-svc-2 /gm)].map(([, id]) => id ?? '');
  expect(own.length).toBeGreaterThan(0);
  for (const id of own) await redis.command('CLIENT', 'KILL', 'ID', id);
  await presence(alive.uuid, 'client.unknown');
  await alive.ask({ thread: 1, action: 'lock', lock: LOCK });
  await waitFor('the holder to be connected again', async () => {
    return (await presenceOf(alive.uuid)).at(-1)?.type === 'client.connected';
  });
  expect((await presenceOf(alive.uuid)).map(({ type }) => type)).not.toContain('client.gone');
});

test('[O2] a frozen holder is idle since its last command, and connected when it continues', async () => {
  const frozen = await holder('order-svc-3');
  await presence(frozen.uuid, 'client.connected');
  const frozenAt = Date.now();
  frozen.freeze();
  await pause(IDLE_AFTER_MS);
  const idle = await presence(frozen.uuid, 'client.idle');
  expect(Math.abs(idle.since / 1000 - frozenAt)).toBeLessThan(25_000);
  expect(idle.at / 1000 - idle.since / 1000).toBeGreaterThanOrEqual(IDLE_AFTER_MS);
  frozen.thaw();
  await frozen.ask({ thread: 1, action: 'unlock', lock: LOCK });
  await waitFor('the holder to be connected again', async () => {
    return (await presenceOf(frozen.uuid)).at(-1)?.type === 'client.connected';
  });
});

test('[O7] a recording has the same events about clients as the live history', async () => {
  const dead = await holder('order-svc-4');
  await presence(dead.uuid, 'client.connected');
  await dead.kill();
  await presence(dead.uuid, 'client.gone');
  const live = await presenceOf();
  await lockscope.stop();
  lockscope = await launchLockscopeProcess('open', [file], {});
  const replayed = await waitFor('the recording', async () => {
    const reported = await presenceOf();
    return reported.length >= live.length && reported;
  });
  expect(replayed).toEqual(live);
});
