import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, inject, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANSWER_MS, ROOT, TOKEN } from './container.ts';

const run = promisify(execFile);
const PROJECT = ['--project-name', 'lockscope-test', '--file', join(ROOT, 'compose.yaml'), '--profile', 'demo'];

const isInstalled = (program: string, ...words: string[]) =>
  run(program, [...words, 'version']).then(
    () => [program, ...words],
    () => undefined,
  );
/** `docker compose`, or `docker-compose` where the plugin is not installed. */
const COMPOSE = (await isInstalled('docker', 'compose')) ?? (await isInstalled('docker-compose'));
const isMissing = !inject('image') || !COMPOSE;

async function compose(...args: string[]): Promise<string> {
  const [program = '', ...words] = COMPOSE ?? [];
  const options = { env: { ...process.env, LOCKSCOPE_TOKEN: TOKEN }, maxBuffer: 64e6 };
  return (await run(program, [...words, ...PROJECT, ...args], options)).stdout.trim();
}

afterEach(async () => {
  if (!isMissing) await compose('down', '--volumes', '--rmi', 'local', '--timeout', '3');
});

test.skipIf(isMissing)(
  'compose starts a Redis and a Lockscope that observes it; the profile `demo` starts clients with their page',
  async () => {
    await compose('up', '--detach', '--build');
    const urlOf = async (service: string) => `http://${(await compose('port', service, '4680')).split('\n')[0]}`;
    const [url, stage] = [await urlOf('lockscope'), await urlOf('demo')];
    const lockscope = connect(url, { token: TOKEN, answerWithinMs: ANSWER_MS });
    await waitFor('Redis to be observed', async (missing) => {
      const health = await lockscope.health().catch(() => undefined);
      return health?.sources[0]?.status === 'observing' || missing(JSON.stringify(health));
    });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const play = { method: 'POST', headers, body: '{}' };
    const demo = connect(stage, { token: TOKEN, answerWithinMs: ANSWER_MS });
    await waitFor('the demo', async () => (await demo.health().catch(() => undefined))?.demo);
    expect((await fetch(`${stage}/api/demo/scenarios/two-threads/start`, play)).status).toBe(200);
    const lock = await waitFor('a lock of the demo', async () =>
      (await lockscope.locks()).locks.find(({ held }) => held),
    );
    expect(lock.name).toMatch(/^lockscope-demo:/);
  },
);
