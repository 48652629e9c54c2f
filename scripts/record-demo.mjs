import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT, say } from './set-up/run-command.mjs';

/*
 * `node scripts/record-demo.mjs`: runs the scenarios of the recorded demo on a real Redis, records them with Lockscope
 * itself, and writes down each state of the stage. Run `npm run build:server` before and after.
 */

const SCENARIOS = ['two-threads', 'holder-crash', 'full-show', 'watchdog', 'no-watchdog'];
const FOLDER = join(ROOT, 'server/demo/recorded');
const LOOK_EVERY_MS = 15;
/** How long to record after the last step. */
const AFTERWARDS_MS = 1500;

for (const id of SCENARIOS) await record(id);

async function record(id) {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-recording-'));
  const file = join(dir, `${id}.lockscope`);
  const words = ['demo', '--port', '0', '--no-open', '--json', '--record', file];
  const child = spawn(process.execPath, [join(ROOT, 'dist/server/main.js'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await readyUrl(child);
    const views = await play(url, id);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the demo ended with ${code}`);
    copyFileSync(file, join(FOLDER, `${id}.lockscope`));
    writeFileSync(join(FOLDER, `${id}.stage.ndjson`), `${views.map((view) => JSON.stringify(view)).join('\n')}\n`);
    say(`recorded ${id}: ${views.length} views of the stage`);
  } finally {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

async function readyUrl(child) {
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the demo ended with ${code}`);
  });
  ended.catch(() => undefined); // it also ends after it was ready
  const ready = once(child.stdout, 'data').then(([line]) => JSON.parse(line).url);
  return Promise.race([ready, ended]);
}

/** Runs the scenario to its end. Returns every state of the stage, with the time it was first seen. */
async function play(url, id) {
  const views = [await look(url)];
  const started = await fetch(`${url}/api/demo/scenarios/${id}/start`, { method: 'POST' });
  if (!started.ok) throw new Error(`${id} did not start: ${await started.text()}`);
  while (views.at(-1).state !== 'done') {
    const view = await look(url);
    if (view.state === 'failed') throw new Error(`${id} failed`);
    if (!isSame(view, views.at(-1))) views.push(view);
    await pause(LOOK_EVERY_MS);
  }
  await pause(AFTERWARDS_MS);
  return views;
}

async function look(url) {
  const { step, state, clients, startedAt, watchdogMs, faults } = await (await fetch(`${url}/api/demo`)).json();
  const people = clients.map((client) => ({ ...client, pid: null }));
  return { at: Date.now() * 1000, step, state, startedAt, watchdogMs, faults, clients: people };
}

function isSame({ at: _at, ...view }, { at: _before, ...other }) {
  return JSON.stringify(view) === JSON.stringify(other);
}
