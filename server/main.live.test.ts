import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoBody } from '../shared/wire/demo.ts';
import { type LocalRedis, startLocalRedis } from './redis/private-server/local-redis.ts';
import { connect, endedAfterEach, health } from './testing/main-runs.ts';
import { Program } from './testing/program.ts';

const PASSWORD = 'hunter2-hunter2';

let redis: LocalRedis;
let locked: LocalRedis;

const { lockscope, listener } = endedAfterEach();

beforeAll(async () => {
  [redis, locked] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  const connection = await connect(locked);
  await connection.call('CONFIG', 'SET', 'requirepass', PASSWORD);
  connection.close();
});

afterAll(() => Promise.all([redis?.stop(), locked?.stop()]));

describe('arguments', () => {
  test('--help and --version print a text and exit', async () => {
    const [help, version] = [lockscope('--help'), lockscope('--version')];
    expect(await help.ended()).toBe(0);
    expect(help.out).toContain('lockscope demo');
    expect(await version.ended()).toBe(0);
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    ['--prot 1', 2, '--prot'],
    ['open x.lockscope --port 0', 1, 'There is no such file'],
  ])('%s exits with %i and one line', async (words, code, line) => {
    const run = lockscope(words);
    expect(await run.ended()).toBe(code);
    expect(run.err).toContain(line);
    expect(run.err.trimEnd().split('\n')).toHaveLength(1);
    expect(run.out).toBe('');
  });

  test('a port that is in use ends the command, and the error suggests --port 0', async () => {
    const port = await listener('');
    const run = lockscope(`${redis.url} --port ${port} --no-open`);
    expect(await run.ended()).toBe(1);
    expect(run.err).toContain(`Port ${port} is already in use`);
    expect(run.err).toContain('--port 0');
  });
});

describe('observing', () => {
  test('after 1,200 requests, the next one is still answered', async () => {
    const run = lockscope(`${redis.url} --port 0 --no-open`);
    const url = await run.ready();
    for (let n = 0; n < 1200; n++) await (await fetch(`${url}/healthz`)).text();
    expect(await health(url)).toBeDefined();
  });

  test('an existing lock is shown, and SIGTERM ends cleanly', async () => {
    const connection = await connect(redis);
    await connection.call('HSET', 'orders:42', '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62', '1');
    await connection.call('PEXPIRE', 'orders:42', 60_000);
    connection.close();
    const run = lockscope(`--port 0 --no-open`, { REDIS_URL: redis.url });
    const url = await run.ready();
    expect(run.out).toBe(`lockscope ready ${url}\n`);
    expect(run.err).not.toContain('plain HTTP');
    await expect
      .poll(async () => (await fetch(`${url}/api/locks/orders%3A42`)).json())
      .toMatchObject({ held: true, holders: [{ thread: '62', holdCount: 1 }] });
    await expect
      .poll(() => health(url))
      .toMatchObject({ status: 'ok', sources: [{ url: redis.url, level: 'events' }] });
    expect(await run.end('SIGTERM')).toBe(0);
  });

  test('--json: the ready line, and every line of the log, is JSON', async () => {
    const run = lockscope(`${redis.url} --port 0 --no-open --json`);
    const url = await run.ready();
    expect(JSON.parse(run.out)).toEqual({ event: 'ready', url });
    expect(await run.end('SIGINT')).toBe(0);
    for (const line of run.err.split('\n').filter(Boolean)) expect(() => JSON.parse(line), line).not.toThrow();
  });

  test('with a wrong password, the page is served and shows the problem, without the password', async () => {
    const run = lockscope(`${locked.url.replace('//', `//:wrong-${PASSWORD}@`)} --port 0 --no-open`);
    const url = await run.ready();
    await expect.poll(async () => (await health(url)).sources[0]?.problem?.code).toBe('wrong-password');
    const { status, sources } = await health(url);
    expect(status).toBe('down');
    expect(sources[0]?.problem?.hint).not.toBe('');
    await expect.poll(() => run.err).toContain(sources[0]?.problem?.message);
    expect(run.err + JSON.stringify(sources)).not.toContain(PASSWORD);
    expect(await run.end('SIGTERM')).toBe(0);
  });
});

test.runIf(process.platform === 'linux')('a password and a token on the command line are hidden from ps', async () => {
  const url = redis.url.replace('//', `//default:${PASSWORD}@`);
  const run = lockscope(`${url} --port 0 --no-open --token ${PASSWORD}-token`);
  await run.ready();
  const shown = readFileSync(`/proc/${run.child.pid}/cmdline`, 'utf8');
  expect(shown).toMatch(/^lockscope\0*$/);
});

test('beyond loopback, the log warns that everything goes over plain HTTP', async () => {
  const run = lockscope(`${redis.url} --host 0.0.0.0 --token ${PASSWORD}-token --port 0 --no-open`);
  await expect.poll(() => run.err).toContain('everything goes over plain HTTP');
});

describe('doctor', () => {
  test('shows which levels work', async () => {
    const [text, json] = [lockscope(`doctor ${redis.url}`), lockscope(`doctor ${redis.url} --json`)];
    expect(await text.ended()).toBe(0);
    expect(text.out).toContain('Locks can be observed here');
    expect(await json.ended()).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ v: 1, url: redis.url, canObserve: true });
  });
});

describe('demo', () => {
  test('starts its own Redis and clients, and stops them when it ends', async () => {
    const run = lockscope('demo --port 0 --no-open');
    const url = await run.ready();
    const { demo, sources } = await health(url);
    expect(demo).toBe(true);
    expect(sources[0]?.level).toBe('monitor');
    const { clients } = demoBody.parse(await (await fetch(`${url}/api/demo`)).json());
    const pids = clients.flatMap(({ pid }) => pid ?? []);
    expect(pids.length).toBeGreaterThan(1);
    expect(await run.end('SIGINT')).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
    const privateRedis = new Program(['doctor', sources[0]?.url ?? '']);
    expect(await privateRedis.ended()).toBe(1);
  });
});
