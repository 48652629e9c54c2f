import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { healthBody } from '../shared/wire/http.ts';
import { type CommandConnection, openCommandConnection } from './redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from './redis/private-server/local-redis.ts';
import { Program } from './testing/program.ts';

const PASSWORD = 'hunter2-hunter2';
/** The port of tcpmux, which no machine offers today. A port that was free a moment ago may be in use. */
const FREE_PORT = 1;

const runs: Program[] = [];
const others: Server[] = [];
let redis: LocalRedis;
let locked: LocalRedis;

function lockscope(words: string, env?: Record<string, string>): Program {
  const run = new Program(words.split(' '), env);
  runs.push(run);
  return run;
}

/** Starts a server that sends `words` to every client, and returns its port. */
async function listener(words: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(words));
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function health(url: string) {
  return healthBody.parse(await (await fetch(`${url}/api/health`)).json());
}

beforeAll(async () => {
  [redis, locked] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  const connection = await connect(locked);
  await connection.call('CONFIG', 'SET', 'requirepass', PASSWORD);
  connection.close();
});

afterEach(async () => {
  for (const run of runs.splice(0)) await run.kill();
  for (const server of others.splice(0)) server.close();
});

afterAll(() => Promise.all([redis?.stop(), locked?.stop()]));

describe('arguments', () => {
  test.each([
    ['--host 0.0.0.0', 2, '--token'],
    ['--host 0.0.0.0 --token x', 2, 'at least 16 characters'],
    ['redis+sentinel://a', 2, 'names no master'],
  ])('%s exits with %i and one line', async (words, code, line) => {
    const run = lockscope(words);
    expect(await run.ended()).toBe(code);
    expect(run.err).toContain(line);
    expect(run.err.trimEnd().split('\n')).toHaveLength(1);
    expect(run.out).toBe('');
  });
});

describe('observing', () => {
  test.each([
    ['nobody there', async () => `redis://127.0.0.1:${FREE_PORT}`, 'refused'],
    ['no password', async () => locked.url, 'password-required'],
    ['no Redis at all', async () => `redis://127.0.0.1:${await listener('SSH-2.0-OpenSSH_9.6\r\n')}`, 'not-redis'],
    ['no such host', async () => 'redis://no-such-host.invalid', 'no-such-host'],
  ])('%s: the page starts and shows the problem', async (_what, target, code) => {
    const run = lockscope(`${await target()} --port 0 --no-open`);
    const url = await run.ready();
    await expect.poll(async () => (await health(url)).sources[0]?.problem?.code).toBe(code);
    const { status, sources } = await health(url);
    expect(status).toBe('down');
    expect(sources[0]?.problem?.hint).not.toBe('');
    await expect.poll(() => run.err).toContain(sources[0]?.problem?.message);
    expect(run.err + JSON.stringify(sources)).not.toContain(PASSWORD);
    expect(await run.end('SIGTERM')).toBe(0);
  });
});

describe('doctor', () => {
  test('shows the user of the URL if Redis may not report it', async () => {
    const connection = await connect(redis);
    await connection.call('ACL', 'SETUSER', 'watcher', 'on', `>${PASSWORD}`, '~*', '+@all', '-acl', '-monitor');
    connection.close();
    const run = lockscope(`doctor ${redis.url.replace('//', `//watcher:${PASSWORD}@`)}`);
    await run.ended();
    expect(run.out).toContain('user watcher');
    expect(run.out).toContain('ACL SETUSER watcher +monitor');
  });

  test('prints the ACL command for the channels of every kind of lock, and it works', async () => {
    const connection = await connect(redis);
    const some = ['resetchannels', '&redisson_lock__channel*', '&__keyevent@*__:expired'];
    await connection.call('ACL', 'SETUSER', 'listener', 'on', `>${PASSWORD}`, '~*', '+@all', ...some);
    const url = redis.url.replace('//', `//listener:${PASSWORD}@`);
    const events = async () => {
      const run = lockscope(`doctor ${url} --json`);
      await run.ended();
      const { levels } = JSON.parse(run.out) as { levels: { level: string; works: boolean; unlock: string }[] };
      return levels.find(({ level }) => level === 'events');
    };
    const before = await events();
    expect(before).toMatchObject({ works: false, unlock: expect.stringContaining('ACL SETUSER listener ') });
    await connection.call('ACL', ...(before?.unlock.split(' ').slice(1) ?? []));
    expect(await events()).toMatchObject({ works: true });
    connection.close();
  });

  test('fails if nothing can be observed, without showing the password', async () => {
    const run = lockscope(`doctor ${locked.url.replace('//', `//:wrong-${PASSWORD}@`)}`);
    expect(await run.ended()).toBe(1);
    expect(run.out).toContain('Locks cannot be observed here.');
    expect(run.out + run.err).not.toContain(PASSWORD);
  });
});

async function connect({ url }: LocalRedis): Promise<CommandConnection> {
  const connection = openCommandConnection({ url });
  await connection.whenReady(60_000);
  return connection;
}
