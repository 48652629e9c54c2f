import { connect as connectTcp, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { openIdleConnections } from '../support/clients/idle-connections.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';
import { MOST_FOR_CLIENT_LIST, ourMicros } from './our-micros.ts';

/*
 * An application sends 60,000 ordinary commands a second to a Redis full of keys that are not locks, and Lockscope
 * watches at level `events`. The test uses Redis's own statistics: the time of every command that only Lockscope sends
 * (INFO commandstats), and every command above 10 ms (SLOWLOG).
 */

const SECONDS = 60;
const PER_SECOND = 60_000;
const BATCH_MS = 10;
const CLIENTS = Number(process.env.ATTACK_CLIENTS ?? 3000);
/** Sends ordinary commands at a steady rate over one connection. `sent` returns how many it has sent. */
function startTraffic(port: number): { sent(): number; stop(): void } {
  const socket: Socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  let sent = 0;
  const began = Date.now();
  const timer = setInterval(() => {
    const due = ((Date.now() - began) / 1000) * PER_SECOND;
    if (socket.writableLength > 4_000_000) return;
    const lines: string[] = [];
    for (let n = 0; sent < due && n < 2 * PER_SECOND * (BATCH_MS / 1000); n++, sent++) {
      const id = sent % 200_000;
      if (sent % 4 === 0) lines.push(`HSET session:${id} user u${id} seen ${sent}`);
      else if (sent % 4 === 1) lines.push(`EXPIRE session:${id} 1800`);
      else if (sent % 4 === 2) lines.push(`SET cache:${id} some-text-${sent} EX 600`);
      else lines.push(`GET cache:${id}`);
    }
    socket.write(`${lines.join('\r\n')}\r\n`);
  }, BATCH_MS);
  return {
    sent: () => sent,
    stop: () => {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

test('with 60,000 commands a second, all commands of Lockscope together take at most 1 % of a core', async () => {
  const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe', 'slowlog-log-slower-than': '10000' });
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  const fill = `for i = 1, 1000000 do redis.call('hset', KEYS[1], 'field:' .. i, 'value') end`;
  for (const name of ['catalogue', 'profiles']) await app.command('EVAL', fill, '1', name);
  await app.command('HSET', 'poison', app.holder(9), Buffer.alloc(17 * 1024 * 1024, 65));
  for (let n = 0; n < 20; n++) await app.command('HSET', Buffer.from(`${n}-`.padEnd(1024 * 1024, 'a')), 'a', 'b');
  for (let n = 0; n < 200; n++) await app.acquire(`held:${n}`, { leaseMs: 3_600_000 });
  onTestFinished(await openIdleConnections(redis.port, CLIENTS));
  const traffic = startTraffic(redis.port);
  onTestFinished(() => traffic.stop());

  const lockscope = await startLockscopeProcess(redis.url, ['--observe', 'events']);
  onTestFinished(() => lockscope.stop());
  await app.command('SLOWLOG', 'RESET');
  const [before, sentBefore, began] = [await ourMicros(redis.command), traffic.sent(), Date.now()];
  const shownAfter: number[] = [];
  for (let n = 0; Date.now() - began < SECONDS * 1000; n++) {
    const taken = Date.now();
    await app.acquire(`amid:${n}`, { leaseMs: 600_000 });
    await waitFor(`amid:${n} to be shown`, async () => (await lockscope.lock(`amid:${n}`))?.held === true);
    shownAfter.push(Date.now() - taken);
    await app.command('HSET', 'catalogue', 'field:1', String(n));
    await app.command('EXPIRE', 'catalogue', '3600');
    await pause(1000);
  }
  const seconds = (Date.now() - began) / 1000;
  const after = await ourMicros(redis.command);
  const rows = [...after].map(([name, { calls, micros }]) => {
    const { calls: callsBefore = 0, micros: microsBefore = 0 } = before.get(name) ?? {};
    return { name, calls: calls - callsBefore, micros: micros - microsBefore };
  });
  const total = rows.reduce((sum, { micros }) => sum + micros, 0);
  const percent = (total / (seconds * 1_000_000)) * 100;
  const rate = Math.round((traffic.sent() - sentBefore) / seconds);
  const slow = ((await app.command('SLOWLOG', 'GET', '1000')) as string[][][]).map((entry) =>
    String(entry[3]?.[0]).toLowerCase(),
  );
  const slowOfOurs = [...after.keys()].map((name) => name.split('|')[0] ?? name);
  const [source] = (await lockscope.health()).sources;
  console.log(`${rate} commands a second; ours ${percent.toFixed(2)} %; locks shown after ${shownAfter.join(' ')} ms`);
  console.log(
    rows
      .filter(({ micros }) => micros > 1000)
      .map((row) => `${row.name} ${row.calls} × = ${row.micros} µs`)
      .join('; '),
  );
  console.log(
    `slow: ${slow.length}, of ours ${slow.filter((name) => slowOfOurs.includes(name)).join(' ')}; lag ${source?.lagMs} ms; ${JSON.stringify(source?.unread)}`,
  );
  expect(percent).toBeLessThanOrEqual(1);
  expect(slow.filter((name) => slowOfOurs.includes(name))).toEqual([]);
  expect(after.get('client|list')?.micros ?? 0).toBeLessThan(MOST_FOR_CLIENT_LIST);
});
