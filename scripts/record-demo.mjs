import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ROOT, say } from './set-up/run-command.mjs';

/*
 * `node scripts/record-demo.mjs [SCENARIO …]`: runs these scenarios of the demo, or all of them, on a real Redis, and
 * records them for the demo without Redis. Lockscope itself records each source, and this script records what the stage
 * showed. Run `npm run build:server` before.
 */

const FOLDER = join(ROOT, 'server/demo/recorded');
const LOOK_EVERY_MS = 15;
/**
 * How long to wait first. By then, Lockscope has read the names of the clients' connections. The commands of semaphores
 * and latches do not contain these names.
 */
const BEFORE_MS = 3000;
/** How long to record after the last step. */
const AFTERWARDS_MS = 1500;

for (const id of await scenarios()) await withDemo((url) => record(url, id));

/** The scenarios of the command line, or all that the demo has. */
async function scenarios() {
  const asked = process.argv.slice(2);
  if (asked.length > 0) return asked;
  return withDemo(async (url) => (await get(`${url}/api/demo/scenarios`)).scenarios.map(({ id }) => id));
}

/** Runs `job` beside a new demo, with new clients and a new Redis. */
async function withDemo(job) {
  const words = ['demo', '--port', '0', '--no-open', '--json'];
  const child = spawn(process.execPath, [join(ROOT, 'dist/server/main.js'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const url = await Promise.race([
      once(child.stdout, 'data').then(([line]) => JSON.parse(line).url),
      ended.then(([code]) => Promise.reject(new Error(`the demo ended with ${code}`))),
    ]);
    return await job(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function record(url, id) {
  await pause(BEFORE_MS);
  const views = await play(url, id);
  const [{ startedAt }] = views;
  const { sources } = await get(`${url}/api/health`);
  for (const [index, { id: source }] of sources.entries()) {
    const answer = await fetch(`${url}/api/recording?source=${source}&from=${startedAt}`);
    if (!answer.ok) throw new Error(`${source} was not recorded: ${await answer.text()}`);
    // named as `--record` names the files of several sources
    const name = index === 0 ? id : `${id}-${index + 1}`;
    writeFileSync(join(FOLDER, `${name}.lockscope`), Buffer.from(await answer.arrayBuffer()));
  }
  const lines = views.map((view) => `${JSON.stringify(view)}\n`);
  writeFileSync(join(FOLDER, `${id}.stage.ndjson.gz`), gzipSync(lines.join(''), { level: 9 }));
  say(`recorded ${id}: ${sources.length} sources, ${views.length} views of the stage`);
}

/**
 * Runs the scenario to its end, and looks at the stage every 15 ms. Returns each view that differs from the view before,
 * with the time at which the view was first seen.
 */
async function play(url, id) {
  const started = await fetch(`${url}/api/demo/scenarios/${id}/start`, { method: 'POST' });
  if (!started.ok) throw new Error(`${id} did not start: ${await started.text()}`);
  const views = [];
  let endsAt = Number.POSITIVE_INFINITY;
  while (Date.now() < endsAt) {
    const view = await look(url);
    if (view.state === 'failed') throw new Error(`${id} failed: ${view.problem.message}`);
    if (!isSame(view, views.at(-1))) views.push(view);
    if (view.state === 'done') endsAt = Math.min(endsAt, Date.now() + AFTERWARDS_MS);
    await pause(LOOK_EVERY_MS);
  }
  return views;
}

/** The view of the stage, without what is only true of this machine and this moment. */
async function look(url) {
  const { reported: _, ...view } = await get(`${url}/api/demo`);
  return { ...view, clients: view.clients.map((client) => ({ ...client, pid: null })) };
}

async function get(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

function isSame({ at: _at, ...view }, before) {
  const { at: _before, ...other } = before ?? {};
  return JSON.stringify(view) === JSON.stringify(other);
}
