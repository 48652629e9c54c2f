import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * A program that uses locks, for tests of `lockscope run`: node lock-suite.mjs REDIS_URL STEPS. Its steps are JSON, one
 * after the other: `{client, thread, action, lock, …}` is an order to a demo client, which is started when it is first
 * named (`waits: false`: its answer is not awaited), `{pauseMs}` lets time pass, `{exit}` sets the exit code. Its
 * clients end with it.
 */

const CLIENT = fileURLToPath(new URL('../../../dist/server/demo/client/main.js', import.meta.url));
const [redisUrl, steps] = process.argv.slice(2);
const clients = new Map();
let ops = 0;

async function clientOf(name) {
  const known = clients.get(name);
  if (known) return known;
  const env = { DEMO_REDIS_URL: redisUrl, DEMO_CLIENT_NAME: name, DEMO_THREADS: '3', DEMO_WATCHDOG_MS: '60000' };
  const child = fork(CLIENT, [], { env: { PATH: process.env.PATH, ...env }, execArgv: [] });
  clients.set(name, child);
  await new Promise((resolve) => {
    child.on('message', ({ type }) => type === 'ready' && resolve());
  });
  return child;
}

async function perform({ client, waits = true, ...order }) {
  const child = await clientOf(client);
  const op = ++ops;
  const answered = new Promise((resolve) => {
    child.on(
      'message',
      (reported) => reported.type === 'truth' && reported.op === op && reported.phase === 'returned' && resolve(),
    );
  });
  child.send({ type: 'do', op, ...order });
  if (waits) await answered;
}

let exitCode = 0;
for (const step of JSON.parse(steps)) {
  if ('pauseMs' in step) await new Promise((resolve) => setTimeout(resolve, step.pauseMs));
  else if ('exit' in step) exitCode = step.exit;
  else await perform(step);
}
process.stdout.write('the suite has ended\n');
process.exit(exitCode);
