import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalRedis, startLocalRedis } from './redis/private-server/local-redis.ts';
import { connect, endedAfterEach, health } from './testing/main-runs.ts';

const PASSWORD = 'hunter2-hunter2';
/** The port of tcpmux, which no machine offers today. A port that was free a moment ago may be in use. */
const FREE_PORT = 1;

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
  ])('%s: the page is served and shows the problem', async (_what, target, code) => {
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

  test('prints an ACL command for the channels of every kind of lock, which works', async () => {
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
