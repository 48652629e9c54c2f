import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { Bus } from '../bus/bus.ts';
import { entryFrom, type StreamEntry } from '../bus/bus-entry.ts';
import { blocksKey } from '../bus/bus-keys.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { Program } from '../testing/program.ts';

const LONG = { timeout: 60_000, interval: 50 };
const running: Program[] = [];
let watched: LocalRedis;
let busServer: LocalRedis;
let bus: Bus;
let app: CommandConnection;

beforeEach(async () => {
  [watched, busServer] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  bus = openBus();
  app = openCommandConnection({ url: watched.url });
  await Promise.all([bus.connection.whenReady(10_000), app.whenReady(10_000)]);
});

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
  bus.close();
  app.close();
  await Promise.all([watched.stop(), busServer.stop()]);
});

function openBus(): Bus {
  const url = parseRedisUrl(busServer.url);
  if (!url.ok) throw new Error(url.error);
  return new Bus(url.value);
}

function observer(...more: string[]): Program {
  const words = ['observe', watched.url, '--observe', 'monitor', '--as', 'one', '--json', '--bus', busServer.url];
  const program = new Program([...words, ...more]);
  running.push(program);
  return program;
}

const isActive = (program: Program) => vi.waitFor(() => expect(program.err).toContain('this observer is active'), LONG);
const isStandby = (program: Program) => vi.waitFor(() => expect(program.out).toContain('"role":"standby"'), LONG);

async function entries(): Promise<StreamEntry[]> {
  return (await bus.range(blocksKey('one'), '-', 10_000)).flatMap((raw) => entryFrom(raw) ?? []);
}

/** Takes and releases locks until a further block of a run is on the bus. */
async function blocksGrow(): Promise<void> {
  const last = async () => JSON.stringify(await bus.lastPlace(blocksKey('one')));
  const before = await last();
  await vi.waitFor(async () => {
    await app.call('SET', 'lock:a', 'token-0123456789abcdef', 'NX', 'PX', 60_000);
    await app.call('DEL', 'lock:a');
    expect(await last()).not.toBe(before);
  }, LONG);
}

/** Every line of each run is in one block or gap. */
function expectNoHoles(list: readonly StreamEntry[]): void {
  const lasts = new Map<number, number>();
  for (const { run, first, last } of list) {
    expect(first).toBe((lasts.get(run) ?? 0) + 1);
    lasts.set(run, last);
  }
}

test('a standby takes over within 10 s when the active observer is killed, and every line is there once', async () => {
  const first = observer();
  await isActive(first);
  const second = observer();
  await isStandby(second);
  await blocksGrow();
  const began = performance.now();
  await first.kill();
  await isActive(second);
  const took = performance.now() - began;
  await blocksGrow();
  const list = await entries();
  expectNoHoles(list);
  expect(new Set(list.map(({ run }) => run)).size).toBe(2);
  expect(took).toBeLessThan(10_000);
});

test('an observer that was frozen while another one took over is refused, and becomes a standby', async () => {
  const first = observer();
  await isActive(first);
  const second = observer();
  await isStandby(second);
  await blocksGrow();
  first.child.kill('SIGSTOP');
  await isActive(second);
  await blocksGrow();
  first.child.kill('SIGCONT');
  await vi.waitFor(() => expect(first.err).toContain('Another observer has taken over'), LONG);
  await blocksGrow();
  const list = await entries();
  expectNoHoles(list);
  const runs = list.map(({ run }) => run);
  expect(runs).toEqual([...runs].sort((a, b) => a - b));
  expect(second.err).not.toContain('Another observer');
});

test('a bus that is gone for some seconds gets all of it later', async () => {
  const program = observer();
  await isActive(program);
  await blocksGrow();
  await bus.connection.call('CLIENT', 'PAUSE', '500', 'WRITE');
  await bus.connection.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  for (let n = 0; n < 200; n++) await app.call('SET', `lock:${n}`, `token-0123456789abc-${n}`, 'NX', 'PX', 60_000);
  await blocksGrow();
  await blocksGrow();
  const list = await entries();
  expectNoHoles(list);
  expect(list.every(({ kind }) => kind === 'block')).toBe(true);
});

test('SIGTERM ends an observer within 3 s and gives its lease up', async () => {
  const program = observer();
  await isActive(program);
  const began = performance.now();
  expect(await program.end('SIGTERM')).toBe(0);
  expect(performance.now() - began).toBeLessThan(3000);
  expect(await bus.connection.call('EXISTS', 'lockscope:observer:{one}')).toBe(0);
});

test('a bus that is the watched server is refused', async () => {
  const program = new Program(['observe', watched.url, '--bus', watched.url.replace('127.0.0.1', 'localhost')]);
  running.push(program);
  expect(await program.ended()).toBe(1);
  expect(program.err).toContain('itself');
});
