import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { advisedKeyEvents } from '../../shared/base/key-event-flags.ts';
import { connectApp } from '../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../support/lockscope/lockscope.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { isRunning } from '../support/process-state.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* Lockscope changes `notify-keyspace-events`. However it ends, the setting is restored. */

const WANTED = ['--configure-notifications'];
let redis: RunningRedis;
let state: string;
/** The flags in order, as `setting` returns them. */
let ON: string;
const started: Lockscope[] = [];

beforeAll(async () => {
  redis = await startRedis();
  ON = [...(await wanted())].sort().join('');
});
beforeEach(async () => {
  await set('');
  state = mkdtempSync(join(tmpdir(), 'lockscope-state-'));
  vi.stubEnv('XDG_STATE_HOME', state); // the processes that the tests start inherit this
});
afterEach(async () => {
  for (const lockscope of started.splice(0)) await lockscope.stop();
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true, force: true });
});
afterAll(() => redis?.stop());

async function start(flags = WANTED): Promise<Lockscope> {
  const lockscope = await startLockscope(redis.url, flags);
  started.push(lockscope);
  return lockscope;
}

async function startProcess(url = redis.url): Promise<LockscopeProcess> {
  const lockscope = await startLockscopeProcess(url, WANTED);
  started.push(lockscope);
  return lockscope;
}

async function setting(): Promise<string> {
  const reply = await redis.command('CONFIG', 'GET', 'notify-keyspace-events');
  const value = Array.isArray(reply) ? reply[1] : (reply as Record<string, string>)['notify-keyspace-events'];
  return [...String(value)].sort().join('');
}

/** The setting that this server should have. */
async function wanted(): Promise<string> {
  const info = String(await redis.command('INFO', 'server'));
  const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
  const version = valkey ?? /^redis_version:(\S+)/m.exec(info)?.[1] ?? '';
  return advisedKeyEvents({ server: valkey === undefined ? 'redis' : 'valkey', version });
}

const notes = () => readdirSync(join(state, 'lockscope'));
const set = (flags: string) => redis.command('CONFIG', 'SET', 'notify-keyspace-events', flags);

async function endBy(lockscope: LockscopeProcess, signal: NodeJS.Signals): Promise<void> {
  await waitFor('its note', () => notes().length === 1);
  process.kill(lockscope.pid, signal);
  await waitFor(`the end by ${signal}`, () => !isRunning(lockscope.pid));
}

test.each(['SIGTERM', 'SIGHUP'] as const)('%s restores the Redis setting, also if stdout is a pipe', async (signal) => {
  const lockscope = await startProcess();
  expect([await setting(), notes().length]).toEqual([ON, 1]);
  await endBy(lockscope, signal);
  expect([await setting(), notes()]).toEqual(['', []]);
});

test('after SIGKILL, the process that waits for the end of Lockscope restores the setting', async () => {
  const lockscope = await startProcess();
  await waitFor('the changed setting', async () => (await setting()) === ON);
  await endBy(lockscope, 'SIGKILL');
  await waitFor('the setting as it was', async () => (await setting()) === '' && notes().length === 0);
});

/** Ends a process and those that it started, as the out-of-memory killer does with a whole container. */
async function endAll(lockscope: LockscopeProcess): Promise<void> {
  const { pid } = lockscope;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  expect(children).toHaveLength(1);
  for (const child of children) process.kill(child, 'SIGKILL');
  await waitFor('the end of what it started', () => !children.some(isRunning));
  await endBy(lockscope, 'SIGKILL');
}

describe('after SIGKILL of all processes of a run, the next run', () => {
  let left: string | undefined;
  /** Begins each test with what a killed run leaves: the setting in Redis, and the note about it on disk. */
  beforeEach(async () => {
    if (left === undefined) {
      const killed = await startProcess();
      await waitFor('the setting', async () => (await setting()) === ON);
      await endAll(killed);
      left = mkdtempSync(join(tmpdir(), 'lockscope-left-'));
      cpSync(state, left, { recursive: true });
    } else {
      cpSync(left, state, { recursive: true });
      await set(ON);
    }
    expect([await setting(), notes().length]).toEqual([ON, 1]);
  });
  afterAll(() => left && rmSync(left, { recursive: true }));

  test('restores the Redis setting when it ends, if it uses the setting', async () => {
    const next = await start();
    expect(await setting()).toBe(ON);
    await next.stop();
    expect([await setting(), notes()]).toEqual(['', []]);
  });

  test('restores the Redis setting immediately, if it does not use the setting', async () => {
    const next = await start([]);
    expect([await setting(), notes()]).toEqual(['', []]);
    expect(next.output()).toContain('notify-keyspace-events is "" again');
    expect((await next.health()).sources[0]?.keyEvents).toBe('tracking');
  });

  test('does not restore the Redis setting if another client changed it meanwhile', async () => {
    await set('KEA');
    await (await start()).stop();
    expect([await setting(), notes()]).toEqual([[...'KEA'].sort().join(''), []]);
  });
});

test('a change of the setting by another client is not undone', async () => {
  const lockscope = await start();
  await set('KEA');
  await lockscope.stop();
  expect([await setting(), notes()]).toEqual([[...'KEA'].sort().join(''), []]);
});

test('the first of two Lockscopes that ends leaves the setting for the other, also at another address of the server', async () => {
  const first = await start();
  const second = await startProcess(redis.url.replace('127.0.0.1', 'localhost'));
  await first.stop();
  expect(await setting()).toBe(ON);
  expect((await second.health()).sources[0]?.keyEvents).toBe('notifications');
  await second.stop();
  expect([await setting(), notes()]).toEqual(['', []]);
});

test('if another client turns key events off, Lockscope notices that, does not turn them on, and uses them when they are on again', async () => {
  const lockscope = await start();
  const app = await connectApp(redis.url);
  const source = async () => (await lockscope.health()).sources[0]!;
  await set('');
  await waitFor('the change', async () => (await source()).keyEvents === 'tracking');
  expect((await source()).unseen).toContainEqual(
    expect.objectContaining({ code: 'unseen-key-events', values: { flags: '' } }),
  );
  expect(await setting()).toBe('');
  await set('KEA');
  await waitFor('the change back', async () => (await source()).keyEvents === 'notifications');
  await waitFor('to observe', async () => (await source()).status === 'observing');
  expect((await source()).unseen.map(({ code }) => code)).not.toContain('unseen-key-events');
  await app.acquire('heard');
  await waitFor('the lock', async () => (await lockscope.lock('heard'))?.held);
  await app.close();
});

test('several sources on one server share one note about the setting, which is restored as it was', async () => {
  await set('Kz');
  const lockscope = await start([`${redis.url}/1`, `${redis.url}/2`, ...WANTED]);
  expect(notes()).toHaveLength(1);
  await lockscope.stop();
  expect([await setting(), notes()]).toEqual(['Kz', []]);
});

test('without a folder for notes, the setting is still restored, and the log reports what is missing', async () => {
  rmSync(state, { recursive: true });
  vi.stubEnv('XDG_STATE_HOME', '/dev/null');
  const lockscope = await start();
  expect(lockscope.output()).toContain('No note about notify-keyspace-events can be kept');
  await lockscope.stop();
  expect(await setting()).toBe('');
});
