import { gunzipSync } from 'node:zlib';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ACQUIRE, type App, connectApp } from '../../support/clients/app.ts';
import { cookieOf } from '../../support/lockscope/cookie-of.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const USER = 'observer-user';
const PASSWORD = 'p@ss-w0rd/9c1f';
const SECRET = /top-?secret/i;
let redis: RunningRedis;
let lockscope: Lockscope;
let app: App;

beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'KEA' });
});
afterEach(async () => {
  await app.close();
  await lockscope.stop();
  await redis.command('FLUSHALL');
});
afterAll(() => redis?.stop());

async function start(level: string): Promise<void> {
  app = await connectApp(redis.url);
  const rules = ['ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, '~*', '+@all'];
  await app.command(...rules, '&*').catch(() => app.command(...rules)); // Redis 6.0 has no rules for channels
  const login = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}`;
  lockscope = await startLockscope(`redis://${login}@127.0.0.1:${redis.port}`, ['--observe', level]);
}

/** Sends secret values in many ways in which they can appear beside a lock. */
async function passSecretsBy(): Promise<void> {
  await app.acquire('orders:42');
  await app.acquire('orders:43');
  await app.command('SET', 'orders:42', 'top-secret-value');
  await app.command('EVAL', `redis.call('del', KEYS[1]) return 'top-secret text'`, '1', 'orders:43', 'top-secret-arg');
  await app.command('HSET', 'a-user', 'name', 'top-secret-name', app.holder(), 'top-secret-field');
  await app.command('HSET', 'half-a-lock', app.holder(), 'top-secret-count');
  await app.acquire('orders:47');
  await app.command('HSET', 'orders:47', app.holder(), 'top-secret-overwritten', 'pin', 'top-secret-pin');
  await app.command('MSET', 'a', 'top-secret-1', 'b', 'top-secret-2');
  await app.command('SETEX', 'orders:42', '100', 'top-secret-again');
  await app.command('PUBLISH', 'news', 'top-secret-news');
  await app.command('SCRIPT', 'LOAD', `return 'top-secret script'`);
  await app.command('EVAL', `${ACQUIRE} -- top-secret comment`, '1', 'orders:44', '60000', app.holder());
  await app.command(
    'EVAL',
    ACQUIRE,
    '1',
    'orders:45',
    '60000',
    app.holder(),
    'top-secret-extra',
    '{"pin":"topsecret"}',
  );
  await app.command('EVAL', 'top-secret syntax error', '0').catch(() => undefined);
  await app.command('AUTH', 'default', 'top-secret-password').catch(() => undefined);
  await app.command('CONFIG', 'SET', 'requirepass', 'top-secret-password');
  await app.command('CONFIG', 'SET', 'requirepass', '');
  await app.command('SET', 'last', 'done');
  await app.acquire('the-last-one');
}

/** What Lockscope returns or writes: these routes, each lock, the signals of each event, the socket and the log. */
async function checkedOutputs(): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  const events = await lockscope.eventsAfter(0);
  const paths = [
    ...['/api/health', '/api/locks?limit=1000', '/api/events?limit=5000', '/api/spans', '/api/insights', '/api/graph'],
    ...[
      '/api/waits',
      '/metrics',
      '/api/recording',
      '/api/demo',
      '/api/nothing-like-that',
      '/api/locks/a-user',
      '/api/locks/half-a-lock',
    ],
    ...(await lockscope.locks()).map(({ name }) => `/api/locks/${encodeURIComponent(name)}`),
    ...events.map(({ seq }) => `/api/events/${seq}/signals`),
  ];
  for (const path of paths) {
    const response = await fetch(lockscope.url + path);
    const bytes = Buffer.from(await response.arrayBuffer());
    const headers = JSON.stringify([...response.headers]);
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    outputs.set(path, `${headers} ${(isZipped ? gunzipSync(bytes) : bytes).toString('latin1')}`);
  }
  outputs.set('the socket', await messagesOfSocket());
  outputs.set('stdout and stderr', lockscope.output());
  return outputs;
}

async function messagesOfSocket(): Promise<string> {
  const extraHeaders = { cookie: await cookieOf(lockscope.url) };
  const socket = io(lockscope.url, { transports: ['websocket'], reconnection: false, extraHeaders });
  const heard: string[] = [];
  socket.onAny((...message: unknown[]) => heard.push(JSON.stringify(message)));
  socket.emit('want', { events: true });
  socket.emit('hello', { v: 1, after: 0 });
  await waitFor('the socket to speak of the last lock', () => heard.some((words) => words.includes('the-last-one')));
  socket.close();
  return heard.join('\n');
}

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: only values of lock fields leave Lockscope, and never its credentials',
  async (level) => {
    await start(level);
    await passSecretsBy();
    await waitFor('the last lock to be seen', async () => lockscope.lock('the-last-one'));
    const outputs = await checkedOutputs();
    expect(outputs.get('/api/locks?limit=1000')).toContain('the-last-one');
    expect(outputs.get('the socket')).toContain('the-last-one');
    expect(outputs.get('/api/recording')).toContain('the-last-one');
    for (const [where, words] of outputs) {
      expect(SECRET.exec(words)?.[0], `${where} gives a secret away: ${around(words, SECRET)}`).toBeUndefined();
      for (const credential of [USER, PASSWORD, encodeURIComponent(PASSWORD)]) {
        expect(words.includes(credential), `${where} gives ${credential} away`).toBe(false);
      }
    }
  },
);

test('the Redis lines of a deletion show the command and the lock, not the value', async () => {
  await start('monitor');
  await app.acquire('orders:42');
  await app.command('SET', 'orders:42', 'top-secret-value', 'EX', '4711');
  const deleted = await waitFor('the deletion', async () => {
    return (await lockscope.eventsAfter(0, { lock: 'orders:42', type: 'lock.deleted' })).at(0);
  });
  const { body } = await lockscope.get(`/api/events/${deleted.seq}/signals`);
  const lines = (body as { signals: string[] }).signals.join('\n');
  expect(lines).toContain('"SET" "orders:42"');
  expect(lines).not.toMatch(SECRET);
});

function around(words: string, pattern: RegExp): string {
  const at = words.search(pattern);
  return at === -1 ? '' : words.slice(Math.max(0, at - 80), at + 80);
}
