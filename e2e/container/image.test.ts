import { afterEach, expect, inject, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANSWER_MS, type Container, docker, END_MS, startContainer, TOKEN } from './container.ts';

const image = inject('image') ?? '';
/** The flags that compose.yaml and the Kubernetes example set. */
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'];
const BASE = 'debian:trixie-slim';
/** The size of `BASE` as it is published for amd64. A machine may have built a larger image under this name. */
const BASE_MB = 79;
const MOST_MB = 250;

const running: Container[] = [];

afterEach(async () => {
  for (const container of running.splice(0)) await container.remove();
});

async function start(command: readonly string[], ...flags: string[]): Promise<Container> {
  const container = await startContainer(image, [...HARDENED, ...flags], command);
  running.push(container);
  return container;
}

test.skipIf(!image)('the image is at most 250 MB', async () => {
  const bytesOf = async (name: string) => Number(await docker('image', 'inspect', '-f', '{{.Size}}', name));
  const addedMb = ((await bytesOf(image)) - (await bytesOf(BASE))) / 1e6;
  process.stdout.write(`the image adds ${addedMb.toFixed(0)} MB to ${BASE}\n`);
  expect(addedMb).toBeGreaterThan(50);
  expect(BASE_MB + addedMb).toBeLessThan(MOST_MB);
});

test.skipIf(!image)('the demo runs in a container without rights, and ends within three seconds', async () => {
  const began = performance.now();
  const { id, url, log, end } = await start(['demo'], '--env', `LOCKSCOPE_TOKEN=${TOKEN}`);
  const lockscope = connect(url, { token: TOKEN, answerWithinMs: ANSWER_MS });
  await waitFor(
    'the demo',
    async (missing) => (await lockscope.health().catch(async () => missing(await log())))?.demo,
  );
  expect((await fetch(`${url}/api/health`)).status).toBe(401);
  const page = await fetch(`${url}/demo`, { headers: { accept: 'text/html', authorization: `Bearer ${TOKEN}` } });
  expect(await page.text()).toContain('<div id="root">');
  const play = {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  };
  expect((await fetch(`${url}/api/demo/scenarios/two-threads/start`, play)).status).toBe(200);
  await waitFor('a held lock', async () => (await lockscope.locks({ held: true })).total > 0);
  process.stdout.write(`docker run … demo: first lock after ${Math.round(performance.now() - began)} ms\n`);
  await waitFor('the end of the scenario', async () => {
    const demo = await fetch(`${url}/api/demo`, { headers: play.headers });
    return ((await demo.json()) as { state: string }).state === 'done'; // other tests check the form of this answer
  });
  expect(await docker('exec', id, 'id', '-u')).toBe('10001');
  await expect(docker('exec', id, 'touch', '/app/new')).rejects.toThrow('Read-only file system');
  await waitFor(
    'the health check',
    async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', id)) === 'healthy',
  );
  const { code, ms } = await end();
  process.stdout.write(`docker stop: ${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(END_MS);
  expect(code).toBe('0');
});

test.skipIf(!image)(
  'without a token, a container generates one and prints the URL with that token; the image supports --otlp',
  async () => {
    const { url, log } = await start(['demo', '--otlp', 'http://127.0.0.1:9']);
    const token = await waitFor('the address', async () => /\?token=([0-9a-f]{32})/.exec(await log())?.[1]);
    const health = await waitFor('an answer', () =>
      connect(url, { token, answerWithinMs: ANSWER_MS })
        .health()
        .catch(() => undefined),
    );
    expect(health.otlp).toBeDefined();
    expect(
      (await fetch(`${url}/?token=${token}`, { redirect: 'manual', headers: { accept: 'text/html' } })).status,
    ).toBe(303);
  },
);
