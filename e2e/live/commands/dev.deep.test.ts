import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthBody } from '../../../shared/wire/http.ts';
import { CheckoutCopy } from '../../support/checkout-copy.ts';

const SCENARIO = 'server/demo/scenarios/two-threads.ts';
const TITLE = 'Two threads, one lock';

let checkout: CheckoutCopy;
let dev: ChildProcess;
let printed = '';

beforeAll(() => {
  checkout = new CheckoutCopy();
  dev = spawn(process.execPath, ['scripts/dev.mjs'], { cwd: checkout.folder, stdio: 'pipe', detached: true });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
});

afterAll(() => {
  if (isRunning()) process.kill(-(dev.pid ?? 0), 'SIGKILL');
  checkout.remove();
});

test('npm run dev shows a changed text at once, a changed server after a restart, and ends with Ctrl+C', async () => {
  await expect.poll(() => printed).toMatch(/ready http/);
  const [, url = ''] = /ready (http\S+)/.exec(printed) ?? [];
  const get = async (path: string) => (await fetch(url + path)).text();
  expect(await get('')).toContain('/app/main.tsx');

  checkout.edit('web/words/en/frame/frame.ts', "waits: 'Cost of blocking'", "waits: 'Delays'");
  await expect.poll(() => get('words/en/frame/frame.ts')).toContain('Delays');

  expect(await get('api/demo/scenarios')).toContain(TITLE);
  const restore = checkout.edit(SCENARIO, TITLE, 'Two threads again');
  await expect.poll(() => get('api/demo/scenarios')).toContain('Two threads again');

  const { sources } = healthBody.parse(JSON.parse(await get('api/health')));
  checkout.edit(SCENARIO, 'export const', 'export const =');
  await expect.poll(() => printed).toContain('the server is not built');
  expect(await get('api/demo/scenarios')).toContain('Two threads again');
  expect(healthBody.parse(JSON.parse(await get('api/health'))).sources[0]?.url).toBe(sources[0]?.url);
  restore();
  await expect.poll(() => get('api/demo/scenarios')).toContain(TITLE);

  process.kill(-(dev.pid ?? 0), 'SIGINT');
  await once(dev, 'exit');
  expect(dev.exitCode).toBe(0);
  await expect.poll(isRunning).toBe(false);
});

/** Whether a process in the group of `npm run dev` runs. */
function isRunning(): boolean {
  try {
    return process.kill(-(dev.pid ?? 0), 0);
  } catch {
    return false;
  }
}
