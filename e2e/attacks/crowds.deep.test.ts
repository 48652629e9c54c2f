import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { LockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { deafConnection } from '../support/lockscope/raw-request.ts';
import { untilWell } from '../support/lockscope/watched-redis.ts';
import type { RunningRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWithHeldLocks } from './held-locks.ts';

/** The list of all these locks has 8 MB, more than the kernel buffers for a client that does not read. */
const LOCKS = 1000;
const LONG = 'x'.repeat(4000);
/**
 * How much memory an attack may add to the process. Connections may hold 96 MB (`bytesAtMost`) and the 4 MB that arrive
 * between two counts. Another 100 MB is left for garbage.
 */
const MOST_MB = 200;

let redis: RunningRedis;
let lockscope: LockscopeProcess;
const crowd: Socket[] = [];

beforeAll(async () => {
  ({ redis, lockscope } = await startWithHeldLocks(LOCKS, LONG));
  return async () => {
    await lockscope.stop();
    await redis.stop();
  };
});

afterEach(() => {
  for (const socket of crowd.splice(0)) socket.destroy();
});

const megabytes = (name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${lockscope.pid}/status`, 'utf8'))?.[1]) / 1024;
/** Makes the kernel reset the peak memory of the process. */
const forgetPeak = () => writeFileSync(`/proc/${lockscope.pid}/clear_refs`, '5');

/** Opens connections that each send `text`, and read nothing until `closed` is called. */
function openConnections(count: number, text: string): void {
  for (let n = 0; n < count; n += 1) {
    const socket = deafConnection(lockscope.url);
    socket.write(text);
    crowd.push(socket);
  }
}

const closed = () => {
  for (const socket of crowd) socket.resume();
  return crowd.filter((socket) => socket.destroyed).length;
};
/** Expects only that Redis is observed. On a busy machine, `/api/health` may report `degraded`. */
const expectWatching = async () => expect((await lockscope.health()).sources).toMatchObject([{ status: 'observing' }]);
const sent = () => crowd.every((socket) => socket.destroyed || socket.writableLength === 0);

test('of 100 unfinished requests of 3.9 MB, at most eight are kept, and memory stays bounded', async () => {
  const before = megabytes('VmRSS');
  forgetPeak();
  openConnections(100, `GET /api/locks/${'a'.repeat(3_900_000)}`);
  await waitFor('the server to have read everything', sent);
  await expectWatching();
  await waitFor('92 to be closed', (missing) => closed() >= 92 || missing(String(closed())));
  await untilWell(lockscope);
  expect(megabytes('VmHWM') - before).toBeLessThan(MOST_MB);
});

test('300 requests that arrive byte by byte are closed, and other requests are answered meanwhile', async () => {
  openConnections(300, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const timer = setInterval(() => {
    for (const socket of crowd) if (!socket.destroyed) socket.write('a');
  }, 200);
  try {
    expect(await lockscope.locks()).toHaveLength(LOCKS);
    await waitFor('all of them to be closed', async (missing) => {
      await expectWatching();
      return closed() === 300 || missing(`${closed()} are closed`);
    });
    await untilWell(lockscope);
  } finally {
    clearInterval(timer);
  }
});

test.each(['/api/locks?limit=1000', '/api/events?limit=5000'])(
  'responses of GET %s that are never read do not fill the memory',
  async (path) => {
    const before = megabytes('VmRSS');
    forgetPeak();
    const statuses: number[] = [];
    for (let wave = 0; wave < 15; wave += 1) {
      openConnections(4, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(4));
      await expectWatching();
      // Answers of one kind are made one after another. After this one, all answers of the wave have been made or
      // refused.
      statuses.push((await lockscope.get(path.replace(/\d+$/, '1'))).status);
    }
    // At least once, but not every time: connections that read nothing for 5 s are closed, which makes room for a
    // while.
    expect(statuses).toContain(503);
    expect(megabytes('VmHWM') - before).toBeLessThan(MOST_MB);
    for (const socket of crowd.splice(0)) socket.destroy();
    await waitFor('the same to be answered again', async (missing) => {
      const { status } = await lockscope.get(path);
      return status === 200 || missing(String(status));
    });
  },
);
