import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACQUIRE } from '../../support/clients/app.ts';
import { type Lockscope, launchLockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { patientClient } from '../../support/lockscope/patient-client.ts';
import { makeCertificate } from '../../support/servers/certificate.ts';
import { canShareSockets, openContainer } from '../../support/servers/container-host.ts';
import { listenAnywhere } from '../../support/servers/cutting-proxy.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { openHost, SERVER } from '../../support/servers/server-host.ts';
import { waitFor } from '../../support/wait-for.ts';

const HOLDER = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';
const WORDS = ['EVAL', ACQUIRE, '1', 'a-lock', '60000', HOLDER];
const ends: (() => unknown)[] = [];
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lockscope-test-'));
  ends.push(() => rm(dir, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function privateRedis() {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  return redis;
}

/** Forwards everything to a Redis on this machine. */
function passTo(port: number): (socket: Socket) => void {
  return (socket) => {
    const redis = connect(port, '127.0.0.1');
    socket.on('error', () => redis.destroy()).on('close', () => redis.destroy());
    redis.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(redis).pipe(socket);
  };
}

/** Starts a TLS proxy in front of a Redis, so that it works with every Redis. */
async function tlsProxy(toPort: number): Promise<{ url: string; cert: string }> {
  const { key, cert } = await makeCertificate(dir);
  const [keyText, certText] = await Promise.all([readFile(key), readFile(cert)]);
  const proxy = createTlsServer({ key: keyText, cert: certText }, passTo(toPort));
  proxy.on('tlsClientError', () => undefined);
  ends.push(() => proxy.close());
  return { url: `rediss://localhost:${await listenAnywhere(proxy)}`, cert };
}

async function seesALock(lockscope: Lockscope): Promise<void> {
  const lock = await waitFor('the lock', async () => {
    const found = await lockscope.lock('a-lock');
    return found?.held && found;
  });
  expect(lock).toMatchObject({ holders: [{ id: HOLDER, holdCount: 1 }] });
  expect((await lockscope.health()).sources[0]).toMatchObject({ status: 'observing', drift: 0, rejected: 0 });
}

/** Starts a Lockscope that trusts a certificate: a process, because Node reads NODE_EXTRA_CA_CERTS at its start. */
async function startTrusting(cert: string, url: string, level: string, ...flags: string[]): Promise<Lockscope> {
  const lockscope = await startLockscopeProcess(url, ['--observe', level, ...flags], { NODE_EXTRA_CA_CERTS: cert });
  ends.push(() => lockscope.stop());
  return lockscope;
}

test('rediss:// with a trusted certificate is watched', async () => {
  const redis = await privateRedis();
  const { url, cert } = await tlsProxy(redis.port);
  const lockscope = await startTrusting(cert, url, 'monitor');
  await redis.command(...WORDS);
  await seesALock(lockscope);
});

test('rediss:// with an IP address is watched, a lock is released, and Node prints no warning', async () => {
  const redis = await privateRedis();
  const { url, cert } = await tlsProxy(redis.port);
  const lockscope = await startTrusting(cert, url.replace('localhost', '127.0.0.1'), 'monitor', '--allow-release');
  await redis.command(...WORDS);
  await seesALock(lockscope);
  const released = await lockscope.post('/api/locks/a-lock/release', { confirm: 'a-lock', holders: [HOLDER] });
  expect(released).toMatchObject({ status: 200, body: { released: true } });
  expect(lockscope.output()).not.toMatch(/warning/i);
});

test('for rediss:// with an untrusted certificate, the problem names what to set', async () => {
  const redis = await privateRedis();
  const { url } = await tlsProxy(redis.port);
  const lockscope = await launchLockscope(url, ['--observe', 'monitor']);
  ends.push(() => lockscope.stop());
  const problem = await waitFor('a problem', async () => (await lockscope.health()).sources[0]?.problem);
  expect(problem).toMatchObject({ code: 'tls', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
});

test('rediss:// to a Redis without TLS, and redis:// to one with TLS, are reported with that reason', async () => {
  const redis = await privateRedis();
  const { url } = await tlsProxy(redis.port);
  for (const wrong of [`rediss://localhost:${redis.port}`, url.replace('rediss:', 'redis:')]) {
    const lockscope = await launchLockscope(wrong, ['--observe', 'monitor']);
    ends.push(() => lockscope.stop());
    const problem = await waitFor('a problem', async () => (await lockscope.health()).sources[0]?.problem);
    expect(`${problem.message} ${problem.hint}`).toMatch(/TLS|rediss:/);
  }
});

test('unix:// over a socket file is watched', async () => {
  const redis = await privateRedis();
  const path = join(dir, 'redis.sock');
  const proxy = createServer(passTo(redis.port)).listen(path);
  ends.push(() => proxy.close());
  const lockscope = await startLockscope(`unix://${path}`);
  ends.push(() => lockscope.stop());
  await redis.command(...WORDS);
  await seesALock(lockscope);
});

/** Acquires the lock as an application does, over its own connection. */
async function acquireBy(client: Pick<ReturnType<typeof patientClient>, 'connect' | 'sendCommand' | 'destroy'>) {
  try {
    await client.connect();
    await client.sendCommand(WORDS);
  } finally {
    client.destroy();
  }
}

/** `REDIS_SERVER` may name a wrapper around chroot, which cannot read our files. */
const HAS_OWN_FILES = SERVER.includes('/');

test.skipIf(HAS_OWN_FILES)(
  'a Redis that listens only on a socket file is watched, and the application uses the same file',
  async (context) => {
    if (SERVER === 'docker' && !(await canShareSockets())) context.skip('Docker Desktop shares no socket files');
    const host = SERVER === 'docker' ? await openContainer(1, dir) : await openHost(1);
    ends.push(() => host.close());
    const path = join(host.dir, 'real.sock');
    await host.start(() => ['--port', '0', '--unixsocket', path, '--unixsocketperm', '777', '--save', '']);
    const lockscope = await startLockscope(`unix://${path}`);
    ends.push(() => lockscope.stop());
    await acquireBy(patientClient({ socket: { path, tls: false } }));
    await seesALock(lockscope);
    const events = await lockscope.eventsAfter(0, { lock: 'a-lock' });
    expect(events.map(({ type, by }) => [type, by])).toEqual([['lock.acquired', `unix:${path}`]]);
  },
);

/** The server must have been built with TLS. */
test.skipIf(HAS_OWN_FILES)('a Redis with its own TLS is watched', async () => {
  const { key, cert } = await makeCertificate(dir);
  const ca = await readFile(cert, 'utf8');
  const host = await openHost(1);
  ends.push(() => host.close());
  const [certThere, keyThere] = [
    await host.writeFile('cert.pem', ca),
    await host.writeFile('key.pem', await readFile(key, 'utf8')),
  ];
  const tls = ['--tls-cert-file', certThere, '--tls-key-file', keyThere, '--tls-auth-clients', 'no'];
  const { port } = await host.start((at) => ['--port', '0', '--tls-port', String(at), '--save', '', ...tls]);
  await acquireBy(patientClient({ socket: { host: 'localhost', port, tls: true, ca } }));
  await seesALock(await startTrusting(cert, `rediss://localhost:${port}`, 'events'));
});
