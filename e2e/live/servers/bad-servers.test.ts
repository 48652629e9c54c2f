import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, launchLockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { listenAnywhere } from '../../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { freePort } from '../../support/servers/server-process.ts';
import { waitFor } from '../../support/wait-for.ts';

const PASSWORD = 'corr3ct-h0rse';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function redisWith(settings: Record<string, string> = {}): Promise<RunningRedis & { app: App }> {
  const redis = await startRedis(settings);
  ends.push(() => redis.stop());
  const app = await connectApp(redis.url);
  ends.push(() => app.close());
  return Object.assign(redis, { app });
}

async function started(url: string, flags: readonly string[] = ['--observe', 'monitor']): Promise<Lockscope> {
  const lockscope = await startLockscope(url, flags);
  ends.push(() => lockscope.stop());
  return lockscope;
}

/**
 * Starts a Lockscope that cannot observe. Returns the problem that it reports, and its output so far. Ignores
 * `not-answering`, because a slow machine may cause this problem.
 */
async function problemAt(url: string) {
  const lockscope = await launchLockscope(url, ['--observe', 'monitor']);
  ends.push(() => lockscope.stop());
  const found = await problemOf(lockscope);
  expect(found.problem.hint).not.toBe('');
  return found;
}

function problemOf(lockscope: Lockscope) {
  return waitFor('a problem', async () => {
    const { status, sources } = await lockscope.health();
    const [source] = sources;
    const problem = source?.problem;
    return (
      problem &&
      problem.code !== 'not-answering' && { status, problem, state: source.status, output: lockscope.output() }
    );
  });
}

/** Starts a server that accepts connections and never answers, and a Lockscope on it, which reports this after 10 s. */
async function startUnanswered() {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  const lockscope = await launchLockscope(`redis://127.0.0.1:${await listenAnywhere(silent)}`, [
    '--observe',
    'monitor',
  ]);
  return { silent, lockscope };
}
// Lockscope reports the problem of the silent server after 10 s, so both start before the first test.
let unanswered: Awaited<ReturnType<typeof startUnanswered>>;
beforeAll(async () => {
  unanswered = await startUnanswered();
});
afterAll(async () => {
  await unanswered.lockscope.stop();
  unanswered.silent.close();
});

/** Starts a server that answers everything with the same words. Returns its port. */
async function answering(words: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(words));
  });
  ends.push(() => server.close());
  return listenAnywhere(server);
}

describe('a user with restricted rights', () => {
  /** Channels need a rule such as `&*` since Redis 6.2; older versions do not know it. */
  async function addUser(app: App, ...rules: string[]): Promise<void> {
    const all = ['ACL', 'SETUSER', 'watcher', 'on', `>${PASSWORD}`, '~*', '+@all', ...rules];
    await app.command(...all, '&*').catch(() => app.command(...all));
  }

  const urlFor = (redis: RunningRedis) => `redis://watcher:${PASSWORD}@127.0.0.1:${redis.port}`;

  test('without +monitor gets level events, with the reason and a hint', async () => {
    const redis = await redisWith({ 'notify-keyspace-events': 'Eghxe' });
    await addUser(redis.app, '-monitor');
    const lockscope = await started(urlFor(redis));
    const source = await waitFor('a level', async () => {
      const [now] = (await lockscope.health()).sources;
      return now?.level === 'events' && now;
    });
    expect(source.guard).toMatchObject({ state: 'tripped', reason: expect.stringMatching(/monitor/i) });
    await redis.app.acquire('seen-all-the-same');
    await waitFor('the lock', async () => lockscope.lock('seen-all-the-same'));
    const { status, body } = await lockscope.post('/api/sources/redis/observe', { level: 'monitor' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toContain('ACL SETUSER watcher +monitor');
  });

  test('without +config gets client tracking instead of key events', async () => {
    const redis = await redisWith();
    await addUser(redis.app, '-config');
    const lockscope = await started(urlFor(redis), ['--observe', 'events']);
    expect((await lockscope.health()).sources[0]).toMatchObject({ level: 'events', keyEvents: 'tracking' });
    await redis.app.acquire('seen-by-tracking');
    await waitFor('the lock', async () => lockscope.lock('seen-by-tracking'));
  });

  test('without +config gets no setting changed by --configure-notifications, and Lockscope observes', async () => {
    const redis = await redisWith();
    await addUser(redis.app, '-config');
    await started(urlFor(redis), ['--observe', 'events', '--configure-notifications']);
    const setting = await redis.app.command('CONFIG', 'GET', 'notify-keyspace-events');
    expect(setting).toEqual({ 'notify-keyspace-events': '' });
  });

  test('without channels gets level snapshot instead of level events', async () => {
    const redis = await redisWith();
    const rules = ['ACL', 'SETUSER', 'watcher', 'on', `>${PASSWORD}`, '~*', '+@all', '-subscribe', '-psubscribe'];
    await redis.app.command(...rules);
    const lockscope = await started(urlFor(redis), ['--observe', 'events']);
    await waitFor('level snapshot', async () => (await lockscope.health()).sources[0]?.level === 'snapshot');
    await redis.app.acquire('seen-by-scan');
    await waitFor('the lock', async () => lockscope.lock('seen-by-scan'));
  });
});

describe('without a Redis to observe, Lockscope reports one clear problem with a hint, and keeps running', () => {
  test('a wrong password', async () => {
    const redis = await redisWith();
    await redis.app.command('CONFIG', 'SET', 'requirepass', PASSWORD);
    const { problem, status, output } = await problemAt(`redis://:wr0ng-one@127.0.0.1:${redis.port}`);
    expect({ status, problem }).toMatchObject({ status: 'down', problem: { code: 'wrong-password' } });
    expect(output).not.toContain('wr0ng-one');
  });

  test('a missing password', async () => {
    const redis = await redisWith();
    await redis.app.command('CONFIG', 'SET', 'requirepass', PASSWORD);
    const { problem } = await problemAt(redis.url);
    expect(problem).toMatchObject({ code: 'password-required', hint: expect.stringContaining('password') });
  });

  test('a host that does not exist', async () => {
    const { problem } = await problemAt('redis://no-such-host.invalid:6379');
    expect(problem).toMatchObject({ message: expect.stringContaining('no-such-host.invalid') });
    expect(problem.hint).toMatch(/spelling|resolve/);
  });

  test('a port where no server listens', async () => {
    const { problem } = await problemAt(`redis://127.0.0.1:${await freePort()}`);
    expect(problem).toMatchObject({ code: 'refused' });
  });

  test('a web server', async () => {
    const server = createHttpServer((_, response) => response.end('hello'));
    ends.push(() => server.close());
    const { problem, output } = await problemAt(`redis://user:s3cret-word@127.0.0.1:${await listenAnywhere(server)}`);
    expect(problem.message + problem.hint).toMatch(/not (a )?Redis/);
    expect(output).not.toContain('s3cret-word');
  });

  test('an echo server', async () => {
    const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    ends.push(() => echo.close());
    const { problem, output } = await problemAt(`redis://user:s3cret-word@127.0.0.1:${await listenAnywhere(echo)}`);
    expect(problem).toMatchObject({ code: 'not-redis' });
    expect(JSON.stringify(problem) + output).not.toContain('s3cret-word');
  });

  test('a Redis older than 6, which does not know HELLO', async () => {
    const port = await answering(
      "-ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'u' 's3cret-word' \r\n",
    );
    const { problem, output } = await problemAt(`redis://u:s3cret-word@127.0.0.1:${port}`);
    expect(problem).toMatchObject({ code: 'too-old', hint: expect.stringContaining('Redis 6') });
    expect(output).not.toContain('s3cret-word');
  });

  test('a proxy that speaks only RESP2', async () => {
    const { problem } = await problemAt(
      `redis://127.0.0.1:${await answering('-NOPROTO unsupported protocol version\r\n')}`,
    );
    expect(problem).toMatchObject({ code: 'no-resp3' });
  });

  test('a Redis that is still loading its data, for which Lockscope waits', async () => {
    const port = await answering('-LOADING Redis is loading the dataset in memory\r\n');
    expect((await problemAt(`redis://127.0.0.1:${port}`)).problem).toMatchObject({ code: 'loading' });
  });

  test('once the server accepts the connection, Lockscope begins to observe', async () => {
    const redis = await redisWith();
    await redis.app.command('CONFIG', 'SET', 'requirepass', PASSWORD);
    const lockscope = await launchLockscope(redis.url, ['--observe', 'monitor']);
    ends.push(() => lockscope.stop());
    await waitFor(
      'the problem',
      async () => (await lockscope.health()).sources[0]?.problem?.code === 'password-required',
    );
    await redis.app.command('CONFIG', 'SET', 'requirepass', '');
    await waitFor('observing', async () => (await lockscope.health()).sources[0]?.status === 'observing');
  });

  test('a server that never answers', async () => {
    expect((await problemOf(unanswered.lockscope)).problem).toMatchObject({ code: 'no-answer' });
  });
});
