import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* Two sources in one thread. The lines of the first take most of a core. */

/** With this limit, there is one thread for both. */
const ONE_THREAD = ['--memory', '256mb'];
const FORCED = { level: 'monitor', forMs: 300_000, force: true };
const CONNECTIONS = 4;
const COMMANDS_AT_ONCE = 500;
const MANY_LINES = 20_000;
const LOCKS = 40;
/** Without the other source, a lock is shown after 15 to 40 ms; on a busy machine, later. */
const SHOWN_WITHIN_MS = 1000;

/** Sends commands as fast as the server answers them, until the test ends. */
function flood(port: number): void {
  const bytes = Buffer.from('*3\r\n$3\r\nSET\r\n$6\r\nnumber\r\n$5\r\nvalue\r\n'.repeat(COMMANDS_AT_ONCE));
  for (let n = 0; n < CONNECTIONS; n++) {
    const socket = connect(port, '127.0.0.1');
    let answered = 0;
    socket.on('data', (reply) => {
      answered += reply.length;
      if (answered < COMMANDS_AT_ONCE * '+OK\r\n'.length) return;
      answered = 0;
      socket.write(bytes);
    });
    socket.on('error', () => undefined); // the server ends first
    socket.write(bytes);
    onTestFinished(() => void socket.destroy());
  }
}

test('a source with very many lines delays another source in the same thread by less than a second', async () => {
  const [busy, beside] = await Promise.all([startRedis(), startRedis()]);
  onTestFinished(async () => void (await Promise.all([busy.stop(), beside.stop()])));
  const app = await connectApp(beside.url);
  onTestFinished(() => app.close());
  const lockscope = await startLockscopeProcess(busy.url, [beside.url, '--observe', 'events', ...ONE_THREAD]);
  onTestFinished(() => lockscope.stop());
  const source = async (nth: 0 | 1) => (await lockscope.health()).sources[nth];
  for (const id of ['redis-1', 'redis-2']) {
    expect((await lockscope.post(`/api/sources/${id}/observe`, FORCED)).status).toBe(200);
  }
  flood(busy.port);
  await waitFor('many lines', async (missing) => {
    const { level, linesPerSecond = 0 } = (await source(0)) ?? {};
    return (level === 'monitor' && linesPerSecond > MANY_LINES) || missing(`${level}, ${linesPerSecond} lines/s`);
  });

  const [shownAfter, lags]: [number[], number[]] = [[], []];
  for (let n = 0; n < LOCKS; n++) {
    const began = performance.now();
    await app.acquire(`beside-${n}`);
    await waitFor('the lock', async () => (await lockscope.locks()).some(({ name }) => name === `beside-${n}`));
    shownAfter.push(Math.round(performance.now() - began));
    lags.push((await source(1))?.lagMs ?? Number.NaN);
  }
  expect(await source(0)).toMatchObject({ level: 'monitor', status: 'observing' });
  expect(Math.max(...shownAfter)).toBeLessThan(SHOWN_WITHIN_MS);
  expect(Math.max(...lags)).toBeLessThan(SHOWN_WITHIN_MS);
});
