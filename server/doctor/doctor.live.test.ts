import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type FindingView, serverReportSchema } from '../../shared/wire/doctor.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { problemFromError } from '../redis/connection/problem.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { reportOf } from './doctor.ts';
import { examineServer } from './examine.ts';

const PASSWORD = 'hunter2-hunter2';

function addressOf(url: string) {
  const parsed = parseRedisUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

async function examined(url: string) {
  const address = addressOf(url);
  return serverReportSchema.parse(
    reportOf(await examineServer(address, (error) => problemFromError(error, address.displayUrl, 'default'))),
  );
}

function stateOf(findings: readonly FindingView[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ id, state, code }) => [id, `${state} ${code}`]));
}

describe('a server with every setting', () => {
  let redis: LocalRedis;
  let admin: CommandConnection;
  beforeAll(async () => {
    redis = await startLocalRedis({ password: PASSWORD });
    admin = openCommandConnection({ url: redis.url });
    await admin.whenReady(60_000);
  });
  afterAll(async () => {
    admin.close();
    await redis.stop();
  });

  test('is examined with its real settings, which do not change; the suggested commands mend them', async () => {
    const settings = async () => [await admin.call('CONFIG', 'GET', '*'), await admin.call('DBSIZE')];
    const before = await settings();
    const first = await examined(redis.url);
    expect(await settings()).toEqual(before);
    expect(stateOf(first.findings)).toMatchObject({
      eviction: 'good evicts-nothing',
      persistence: 'danger nothing-saved',
      role: 'good is-master',
      replication: 'info no-replica',
      clock: 'good clock-close',
      monitor: 'good monitor-allowed',
    });
    for (const [name, value] of [
      ['maxmemory', '1gb'],
      ['maxmemory-policy', 'volatile-lru'],
      ['appendonly', 'yes'],
      ['appendfsync', 'always'],
      ['min-replicas-to-write', '1'],
      ['timeout', '10'],
      ['client-output-buffer-limit', 'pubsub 0 0 0'],
      ['lua-time-limit', '0'],
      ['notify-keyspace-events', 'KEA'],
    ] as const) {
      await admin.call('CONFIG', 'SET', name, value);
    }
    const { findings } = await examined(redis.url);
    expect(stateOf(findings)).toMatchObject({
      eviction: 'danger evicts',
      memory: 'good memory-left',
      persistence: 'good aof-always',
      replication: 'danger replicas-missing',
      'idle-connections': 'warning idle-closed',
      'output-limit': 'warning output-unlimited',
      scripts: 'warning no-script-limit',
      'key-events': 'info key-events-twice',
    });
    // Each line that the doctor suggests really changes the setting or right that it names.
    for (const { fix, state } of findings) {
      for (const line of state === 'danger' || state === 'warning' ? fix : []) {
        const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
        await admin.call(words[0] ?? '', ...words.slice(1));
      }
    }
    const after = await examined(redis.url);
    expect(after.findings.filter(({ state }) => state === 'danger' || state === 'warning')).toEqual([]);
  });

  test('can be observed by a user without rights once the ACL lines that the doctor shows have been run', async () => {
    const rules = ['on', `>${PASSWORD}`, '~*', '+@all', '-config', '-client', '-info', '-time', '-monitor', '-acl'];
    // Redis 6.0 has no rules for channels.
    const set = (...words: string[]) => admin.call('ACL', 'SETUSER', 'poor', ...words);
    await set(...rules, '&*').catch(() => set(...rules));
    const url = `redis://poor:${PASSWORD}@127.0.0.1:${redis.port}`;
    const { findings, levels } = await examined(url);
    // Every read of keys contains a TIME.
    expect(levels[0]).toMatchObject({ level: 'snapshot', works: false, unlock: expect.stringContaining('+time') });
    expect(findings.filter(({ state }) => state === 'good').map(({ id }) => id)).toEqual(['role', 'version']);
    const lines = new Set(findings.flatMap(({ fix }) => fix));
    expect(lines.size).toBeGreaterThan(3);
    for (const line of lines) await admin.call('ACL', ...line.split(' ').slice(1));
    // CLIENT LIST is asked for only where INFO shows how many clients there are.
    const second = await examined(url);
    expect(second.canObserve).toBe(true);
    const hasDryRun = Number(redis.version.split('.')[0]) >= 7;
    expect(second.findings.filter(({ code }) => code === 'unread').map(({ id, fix }) => [id, fix])).toEqual([
      ...(hasDryRun ? [] : [['rights', []]]),
      ['clients', ['ACL SETUSER poor +client|list']],
    ]);
    if (!hasDryRun) return;
    expect(stateOf(second.findings)).toMatchObject({ rights: 'info may-write' });
    await set('-@write');
    expect(stateOf((await examined(url)).findings)).toMatchObject({ rights: 'good reads-only' });
  });
});

test('a server with renamed CONFIG, MONITOR and CLIENT is examined; the advice is for its configuration file', async () => {
  const renamed = ['CONFIG', 'MONITOR', 'CLIENT'].flatMap((name) => ['--rename-command', name, `hidden-${name}`]);
  const redis = await startLocalRedis({
    args: [...renamed, '--maxmemory', '1gb', '--maxmemory-policy', 'allkeys-lru'],
  });
  try {
    const { findings, levels, problem, canObserve } = await examined(redis.url);
    expect([problem, canObserve]).toEqual([null, true]);
    expect(stateOf(findings)).toMatchObject({
      eviction: 'danger evicts',
      persistence: 'unknown unread',
      'output-limit': 'unknown unread',
      'key-events': 'unknown unread',
      monitor: 'info monitor-missing',
      clients: 'unknown unread',
    });
    expect(findings.find(({ id }) => id === 'eviction')?.fix).toEqual(['maxmemory-policy noeviction']);
    expect(findings.filter(({ state }) => state === 'unknown').flatMap(({ fix }) => fix)).toEqual([]);
    expect(levels.map(({ unlock }) => unlock).join()).not.toContain('ACL SETUSER');
    expect(levels.find(({ level }) => level === 'events')).toMatchObject({
      works: true,
      why: expect.stringMatching(/it is not known whether Redis sends key events, .* has no CLIENT TRACKING/),
    });
  } finally {
    await redis.stop();
  }
});

test('a server that cannot be reached is a problem, not an exception', async () => {
  const redis = await startLocalRedis();
  await redis.stop();
  expect(await examined(redis.url)).toMatchObject({ canObserve: false, findings: [], problem: { code: 'refused' } });
});
