import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ConnectionLost, openCommandConnection } from '../connection/command-connection.ts';
import { findRedisServer } from './find-redis-server.ts';
import { type LocalRedis, LocalRedisError, startLocalRedis } from './local-redis.ts';

const started: LocalRedis[] = [];
const launch = async (options: Parameters<typeof startLocalRedis>[0] = {}) => {
  const redis = await startLocalRedis(options);
  started.push(redis);
  return redis;
};
afterEach(async () => {
  for (const redis of started.splice(0)) await redis.stop();
});

test('a private Redis has no save points and the given limit of memory, and does not answer after stop', async () => {
  const redis = await launch({ args: ['--maxmemory', '50mb'] });
  expect(redis.version).toMatch(/^\d+\.\d+\.\d+$/);
  const connection = openCommandConnection({ url: redis.url, name: 'test' });
  await connection.whenReady(60_000);
  expect(await connection.call('CONFIG', 'GET', 'save')).toEqual(['save', '']);
  expect(await connection.call('CONFIG', 'GET', 'maxmemory')).toEqual(['maxmemory', `${50 * 1024 * 1024}`]);
  expect(await connection.call('CLIENT', 'GETNAME')).toBe('test');
  connection.close();
  await redis.stop();
  const late = openCommandConnection({ url: redis.url });
  await expect(late.whenReady(300)).rejects.toThrow(/no connection to Redis/);
  late.close();
});

test('starting a private Redis at a port in use rejects with a LocalRedisError', async () => {
  const first = await launch();
  await expect(launch({ port: first.port })).rejects.toThrow(LocalRedisError);
});

test('two private servers that run side by side have different ports', async () => {
  const [first, second] = [await launch(), await launch()];
  expect(first.port).not.toBe(second.port);
});

test('a cut connection fails its commands, and reconnects only after heal', async () => {
  const redis = await launch();
  const connection = openCommandConnection({ url: redis.url });
  await connection.whenReady(60_000);
  connection.cut();
  await expect(connection.call('PING')).rejects.toThrow(ConnectionLost);
  await expect(connection.whenReady(500)).rejects.toThrow(/cut/);
  connection.heal();
  await connection.whenReady(60_000);
  expect(await connection.call('PING')).toBe('PONG');
  connection.close();
});

test('the program of Redis is REDIS_SERVER, else one in PATH; a REDIS_SERVER that does not exist is refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-find-'));
  try {
    const file = join(dir, 'valkey-server');
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o755);
    expect(await findRedisServer({ REDIS_SERVER: file })).toMatchObject({ kind: 'command', command: file });
    expect(await findRedisServer({ PATH: `/nowhere:${dir}` })).toMatchObject({ name: 'valkey-server', command: file });
    await expect(findRedisServer({ REDIS_SERVER: join(dir, 'absent') })).rejects.toThrow(
      /is not a program that can be run/,
    );
  } finally {
    await rm(dir, { recursive: true });
  }
});
