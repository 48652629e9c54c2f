import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { rssMb } from '../support/process-state.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause } from '../support/wait-for.ts';

/*
 * 1,000 lock commands and 10,000 ordinary ones a second, for SOAK_MINUTES at each level, 30 by default. Does memory
 * stop growing within --memory? Prints memory, and the commands that only Lockscope sends, as Redis counts them.
 */

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const LIMIT_MB = 512;
/** Memory of collected garbage returns to the system some seconds later. */
const SLACK_MB = 0.1 * LIMIT_MB;
const SAMPLES = 60;
/** The application's and the test's commands, and EXEC, whose time is the sum of the commands in it. */
const NOT_OURS = /^(set|get|hset|eval|exists|hexists|hincrby|pexpire|pttl|del|publish|exec|config.*)$/;

/** Sends 200 ordinary commands fifty times a second. Returns a function that ends the load. */
function startOrdinary(port: number): () => void {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  const lines = Array.from({ length: 200 }, (_, n) => {
    if (n % 3 === 0) return `SET user:${n} ${'x'.repeat(64)}`;
    return n % 3 === 1 ? `GET user:${n}` : `HSET h:${n % 20} f${n} value-${n}`;
  });
  const timer = setInterval(() => {
    if (socket.writableLength < 1_000_000) socket.write(`${lines.join('\r\n')}\r\n`);
  }, 20);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

test.each(['monitor', 'events'])(`memory stops growing in ${MINUTES} minutes of load at level %s`, async (level) => {
  const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  const lockscope = await startLockscopeProcess(redis.url, ['--observe', level, '--memory', `${LIMIT_MB}mb`]);
  onTestFinished(() => lockscope.stop());
  onTestFinished(startOrdinary(redis.port));
  await app.command('CONFIG', 'RESETSTAT');

  const samples: number[] = [];
  const began = Date.now();
  const ms = MINUTES * 60_000;
  let commands = 0;
  for (let round = 0; Date.now() - began < ms; round++) {
    const roundBegan = Date.now();
    const pairs = Array.from({ length: 25 }, async (_, n) => {
      const name = n % 5 === 0 ? `once:${round}:${n}` : `work:${(round * 25 + n) % 500}`;
      await app.acquire(name, { thread: n });
      if (n % 6 === 0) await app.acquire(name, { thread: 99 });
      await app.release(name, { thread: n });
    });
    await Promise.all(pairs);
    commands += 55;
    if (Date.now() - began > (samples.length + 1) * (ms / SAMPLES)) samples.push(rssMb(lockscope.pid));
    await pause(Math.max(0, 50 - (Date.now() - roundBegan)));
  }
  const { sources, memory, history } = await lockscope.health();
  const stats = String(await app.command('INFO', 'commandstats'));
  const ours = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)]
    .filter(([, name = '']) => !NOT_OURS.test(name))
    .map(([, name, calls, micros]) => ({ name, calls: Number(calls), micros: Number(micros) }));
  const third = samples.slice(-Math.ceil(samples.length / 3));
  console.log(`${Math.round((commands * 1000) / ms)} lock commands a second; MB ${samples.join(' ')}`);
  console.log(`${history.events} events; ${JSON.stringify(memory)}`);
  console.log(`ours: ${ours.map(({ name, calls, micros }) => `${name} ${calls} × = ${micros} µs`).join('; ')}`);
  expect(Math.max(...samples)).toBeLessThan(LIMIT_MB + SLACK_MB);
  // In the first minutes the memory fills.
  if (MINUTES >= 10) expect(Math.max(...third) - Math.min(...third)).toBeLessThan(0.15 * LIMIT_MB);
  expect(sources[0]).toMatchObject({ level, status: 'observing', drift: 0, rejected: 0 });
  expect(ours.reduce((sum, { micros }) => sum + micros, 0)).toBeLessThan(0.05 * ms * 1000);
  expect(ours.find(({ name }) => name === 'keys')).toBeUndefined();
});
