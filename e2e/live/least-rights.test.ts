import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { startLockscope } from '../support/clients/lockscope.ts';
import { LockscopeCommand } from '../support/clients/lockscope-command.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { startReplicated } from '../support/servers/replicated-redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* The user that docs/operating.md recommends: it sees everything at every level, and may not write. The rule for
   --allow-release is an extra one, which `release-lock.live.test.ts` tries. */

const GUIDE = new URL('../../docs/operating.md', import.meta.url);
const RULES = [...readFileSync(GUIDE, 'utf8').matchAll(/^ACL SETUSER lockscope ([^#\n]*)(.*)$/gm)]
  .filter(([, , use]) => !use?.includes('--allow-release'))
  .map(([, rules]) => String(rules).replace('>PASSWORD', '>pw').trim().split(/\s+/));

/** Makes the recommended user on this server. */
async function makeUser(command: RunningRedis['command']): Promise<void> {
  expect(RULES).toHaveLength(5);
  for (const rules of RULES) {
    const set = (words: readonly string[]) => command('ACL', 'SETUSER', 'lockscope', ...words);
    // Redis 6.0 has no rules for channels.
    await set(rules).catch(() => set(rules.filter((word) => !/^&|channels$/.test(word))));
  }
}

const urlOf = ({ port }: RunningRedis) => `redis://lockscope:pw@127.0.0.1:${port}`;

/** What was denied to it, apart from questions about its own rights. */
async function deniedBy(command: RunningRedis['command']): Promise<unknown[]> {
  const reply = await command('ACL', 'LOG');
  const objects = [...JSON.stringify(reply).matchAll(/"object"[,:]"([^"]*)"/g)].map(([, object]) => object);
  return objects.filter((object) => !/^acl(?:\||$)/.test(object ?? ''));
}

test.each(['snapshot', 'events', 'monitor', 'replication'])(
  'the recommended user observes at level %s and cannot write',
  async (level) => {
    const { redis, stop } = await start(level);
    onTestFinished(stop);
    await makeUser(redis.command);
    const app = await connectApp(redis.url);
    onTestFinished(() => app.close());
    const lockscope = await startLockscope(urlOf(redis), ['--observe', level]);
    onTestFinished(() => lockscope.stop());
    await app.acquire('orders:42', { leaseMs: 600_000 });
    await waitFor('the lock', async () => (await lockscope.lock('orders:42'))?.held === true);
    await app.release('orders:42');
    await waitFor('the release', async () => (await lockscope.lock('orders:42'))?.held === false);
    expect((await lockscope.health()).sources[0]).toMatchObject({ level, status: 'observing', drift: 0 });
    expect(await deniedBy(redis.command)).toEqual([]);
  },
);

/** A server at which this level is possible: `replication` needs one with a replica. */
async function start(level: string): Promise<{ redis: RunningRedis; stop(): Promise<void> }> {
  if (level !== 'replication') {
    const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
    return { redis, stop: () => redis.stop() };
  }
  const pair = await startReplicated();
  return { redis: pair.master, stop: () => pair.stop() };
}

const WRITES = /^(set|del|hset|hdel|hincrby|pexpire|expire|lpop|rpush|zrem|zadd|flush.*|config\|set)$/;

describe('a Redis whose locks the recommended user reads', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
    await makeUser(redis.command);
    const app = await connectApp(redis.url);
    await app.acquire('orders:42', { leaseMs: 600_000 });
    await app.close();
    await redis.command('CONFIG', 'RESETSTAT');
  });
  afterAll(() => redis.stop());

  test('no command that writes is permitted', async ({ skip }) => {
    const names = (await redis.command('ACL', 'CAT', 'write')) as string[]; // a list of names
    expect(names.length).toBeGreaterThan(80);
    const isOld = (await redis.command('ACL', 'DRYRUN', 'lockscope', 'PING').catch(() => 'old')) === 'old';
    skip(isOld);
    for (const name of [...names, 'eval', 'evalsha', 'fcall', 'config|set', 'replicaof', 'shutdown', 'debug']) {
      const words = name.split('|');
      const [info] = (await redis.command('COMMAND', 'INFO', name)) as ([string, number] | null)[]; // name and arity
      const missing = Math.max(0, Math.abs(info?.[1] ?? 1) - words.length);
      const args = Array.from({ length: missing }, () => '1');
      const reply = await redis.command('ACL', 'DRYRUN', 'lockscope', ...words, ...args);
      expect(String(reply), name).toContain('no permissions to run');
    }
  });

  test.each([
    ['check', ['--for', '2s'], 'held'],
    ['doctor', ['--measure', '--yes'], 'monitor'],
    ['top', ['--json', '--for', '10s'], 'orders:42'],
  ])('%s works for it, and writes nothing', async (name, flags, text) => {
    const command = new LockscopeCommand([name, urlOf(redis), ...flags]);
    expect(await command.ended(), command.err).toBe(0);
    expect(command.out).toContain(text);
    expect(await deniedBy(redis.command)).toEqual([]);
    const calls = await redis.commandCalls();
    expect([...calls.keys()].filter((each) => WRITES.test(each))).toEqual([]);
  });
});
