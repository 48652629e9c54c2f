import { readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SnapshotMessage } from '../../../shared/wire/socket.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { makeCertificate } from '../../support/servers/certificate.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const TOKEN = 'a-token-that-is-long-enough';
const MOST_HANDSHAKES = 200;

let dir: string;
let files: { cert: string; key: string };
let redis: Awaited<ReturnType<typeof startRedis>>;
let lockscope: Awaited<ReturnType<typeof launchLockscopeProcess>>;
let port: number;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lockscope-test-'));
  [files, redis] = await Promise.all([makeCertificate(dir), startRedis()]);
  const flags = ['--host', 'localhost', '--tls-cert', files.cert, '--tls-key', files.key];
  lockscope = await launchLockscopeProcess(redis.url, flags, { LOCKSCOPE_TOKEN: TOKEN });
  port = Number(new URL(lockscope.url).port);
});

afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Answer = { status: number | undefined; cookie: string | undefined };

/** Asks as a browser would: it trusts only the certificate of this test. */
function get(path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(files.cert);
    const asked = request({ host: 'localhost', port, path, ca, ...options }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, cookie: answer.headers['set-cookie']?.[0] });
    });
    asked.on('error', reject).end();
  });
}

/** The serial number of the certificate that a new connection gets. */
function serialNow(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls(
      { host: 'localhost', port, ca: readFileSync(files.cert), rejectUnauthorized: false },
      () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

describe('with --tls-cert and --tls-key', () => {
  test('API and live channel are served by HTTPS, and the cookie is sent by HTTPS only', async () => {
    expect(lockscope.url).toMatch(/^https:\/\/localhost:\d+$/);
    expect((await get('/api/health')).status).toBe(401);
    const { status, cookie } = await get(`/?token=${TOKEN}`, { headers: { accept: 'text/html' } });
    expect(status).toBe(303);
    expect(cookie).toMatch(/; Secure/);

    const headers = { cookie: cookie?.split(';')[0] ?? '', origin: lockscope.url };
    expect((await get('/api/health', { headers })).status).toBe(200);
    const ca = readFileSync(files.cert, 'utf8');
    const socket = io(lockscope.url, { transports: ['websocket'], extraHeaders: headers, ca });
    const snapshot = await new Promise<SnapshotMessage>((resolve, reject) => {
      socket.on('snapshot', resolve).on('connect_error', reject).emit('hello', { v: 1 });
    });
    socket.close();
    expect(snapshot.sources).toHaveLength(1);
    expect(lockscope.output()).not.toContain('plain HTTP');
  });

  test('if too many connections never finish their handshake, the oldest of them are closed, and another client is served', async () => {
    const idle: Socket[] = [];
    let ended = 0;
    for (let n = 0; n < MOST_HANDSHAKES + 20; n++) {
      const socket = connectTcp(port, 'localhost').on('error', () => undefined);
      socket.on('close', () => ended++).resume();
      idle.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    await waitFor('the oldest to be closed', () => ended >= 20);
    expect((await get('/api/health', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });

  test('a renewed certificate is used without a restart, and an invalid one is reported', async () => {
    const [before, renewed] = [await serialNow(), await makeCertificate(await mkdtemp(join(dir, 'renewed-')))];
    renameSync(renewed.cert, files.cert);
    await waitFor('a warning', () => /is not the private key of .* last good certificate/.test(lockscope.output()));
    expect(await serialNow()).toBe(before);
    renameSync(renewed.key, files.key);
    await waitFor('the new certificate', async () => (await serialNow()) !== before);
  });
});
