import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { healthBody } from '../../../shared/wire/http.ts';
import { Program } from '../../testing/program.ts';
import { openCommandConnection } from '../connection/command-connection.ts';
import { findRedisServer } from './find-redis-server.ts';
import { type LocalRedis, type StartStep, startLocalRedis, startLocalServers } from './local-redis.ts';
import { copyFrom } from './replication.ts';

const started: LocalRedis[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(started.splice(0).map((redis) => redis.stop()));
});

async function answers({ url }: { url: string }): Promise<boolean> {
  const connection = openCommandConnection({ url });
  try {
    await connection.whenReady(1000);
    return (await connection.call('PING')) === 'PONG';
  } catch {
    return false;
  } finally {
    connection.close();
  }
}

/** Whether something listens at a port. A Redis of the demo does not answer us, because it has a password. */
async function isReached(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The containers that publish this port. */
async function containersOf(port: number): Promise<string> {
  return (await promisify(execFile)('docker', ['ps', '-q', '--filter', `publish=${port}`])).stdout.trim();
}

describe.runIf(process.env.REDIS_SERVER === 'docker')('servers in a container', () => {
  test('three servers reach each other at the host’s ports, and if one is killed, the others still answer', async () => {
    const steps: StartStep[] = [];
    const logged: string[] = [];
    const logger = { info: (_values: unknown, text?: string) => void logged.push(text ?? ''), warn: () => undefined };
    started.push(...(await startLocalServers(3, { password: 'secret', logger }, (step) => steps.push(step))));
    expect(logged[0]).toBe('starting a container for the private Redis');
    const [master, replica, third] = started as [LocalRedis, LocalRedis, LocalRedis];
    expect(steps.map(({ what, done, of }) => `${what} ${done}/${of}`).slice(-4)).toEqual(
      [0, 1, 2, 3].map((done) => `servers ${done}/3`),
    );
    const { hostname, port } = new URL(master.url);
    expect([hostname, port]).toEqual(['127.0.0.1', `${master.port}`]);
    await copyFrom(master, replica);
    await master.kill();
    expect(await Promise.all([master, replica, third].map(answers))).toEqual([false, true, true]);
    await Promise.all(started.map((redis) => redis.stop()));
    expect(await answers(third)).toBe(false);
    await expect.poll(() => containersOf(third.port)).toBe('');
  });

  test('servers end when the process that started them is killed', async () => {
    const demo = new Program(['demo', '--port', '0', '--no-open'], process.env as Record<string, string>); // each value is a string
    onTestFinished(() => demo.kill());
    const page = await demo.ready();
    const urlNow = async () => healthBody.parse(await (await fetch(`${page}/api/health`)).json()).sources[0]?.url;
    await expect.poll(urlNow).toMatch(/^redis:/);
    const port = Number(new URL((await urlNow()) ?? '').port);
    expect(await containersOf(port)).not.toBe('');
    expect(await isReached(port)).toBe(true);
    await demo.kill();
    await expect.poll(() => containersOf(port)).toBe('');
    expect(await isReached(port)).toBe(false);
  });

  test('for an image that is missing and cannot be pulled, the error names it and the next step', async () => {
    vi.stubEnv('REDIS_IMAGE', 'localhost:1/lockscope-absent:1');
    const steps: StartStep[] = [];
    const failed = startLocalServers(2, {}, (step) => steps.push(step));
    await expect(failed).rejects.toMatchObject({
      problem: { code: 'no-image' },
      message: expect.stringMatching(/no image localhost:1\/lockscope-absent:1 .*set REDIS_IMAGE to an image/),
    });
    expect(steps.at(-1)).toEqual({ what: 'image', image: 'localhost:1/lockscope-absent:1', done: 0, of: 1 });
  });

  test('for a port that another program uses, the error names the port', async () => {
    const first = await startLocalRedis();
    started.push(first);
    await expect(startLocalRedis({ port: first.port })).rejects.toThrow(`${first.port}`);
  });
});

test('REDIS_SERVER=docker fails without an engine; without the docker command, the error asks to install Docker', async () => {
  vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock');
  const withoutEngine = await findRedisServer({ REDIS_SERVER: 'docker' }).catch((error: unknown) => error);
  vi.stubEnv('PATH', '/nowhere');
  const withoutDocker = await findRedisServer({ REDIS_SERVER: 'docker' }).catch((error: unknown) => error);
  expect(withoutDocker).toMatchObject({
    problem: { code: 'no-docker' },
    message: expect.stringContaining('Install Docker'),
  });
  // A machine without the docker command cannot report the first code.
  expect(['docker-stopped', 'no-docker']).toContain((withoutEngine as { problem: { code: string } }).problem.code);
});
