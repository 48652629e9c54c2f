import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalRedis, startLocalRedis } from './redis/private-server/local-redis.ts';
import { connect, endedAfterEach } from './testing/main-runs.ts';

const PASSWORD = 'hunter2-hunter2';

let redis: LocalRedis;
let locked: LocalRedis;

const { lockscope } = endedAfterEach();

beforeAll(async () => {
  [redis, locked] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  const connection = await connect(locked);
  await connection.call('CONFIG', 'SET', 'requirepass', PASSWORD);
  connection.close();
});

afterAll(() => Promise.all([redis?.stop(), locked?.stop()]));

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

  test('prints an ACL command for missing channels; after the command, level events works', async () => {
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
