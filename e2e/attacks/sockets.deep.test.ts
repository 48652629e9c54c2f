import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { io, type Socket as LiveSocket } from 'socket.io-client';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { deafConnection, handshake } from '../support/lockscope/raw-request.ts';
import { untilWell } from '../support/lockscope/watched-redis.ts';
import type { RunningRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWithHeldLocks } from './held-locks.ts';

/** The most memory that Lockscope may take during an attack. Without limits, each attack would cost far more. */
const MOST_MB = 350;
const LOCKS = 2000;
const JOINED_WITHIN_MS = 60_000;
/** Pages that open at the same time. Their snapshots together are far smaller than the limit for connections. */
const AT_ONCE = 10;

let redis: RunningRedis;
let lockscope: LockscopeProcess;
const sockets: LiveSocket[] = [];
const deaf: Socket[] = [];

beforeAll(async () => {
  ({ redis, lockscope } = await startWithHeldLocks(LOCKS, 'x'.repeat(400)));
  return async () => {
    await lockscope.stop();
    await redis.stop();
  };
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  for (const socket of deaf.splice(0)) socket.destroy();
});

/** Opens a page. Resolves to `snapshot`, or to the message of the refusal. */
function openPage(): Promise<string> {
  const socket = io(lockscope.url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    timeout: JOINED_WITHIN_MS,
  });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.on('connect', () => socket.emit('hello', { v: 1 }));
    socket.on('snapshot', () => resolve('snapshot'));
    socket.on('connect_error', (error) => resolve(error.message));
    socket.on('disconnect', (reason) => resolve(reason));
  });
}

const FULL = 'Too many pages are open.';

/** A page connects again if the server closed it because its hello was late. */
const MOST_TRIES = 3;

/** Opens a page with up to three tries, as a browser connects again. */
async function openPatientPage(): Promise<string> {
  for (let tries = 1; ; tries++) {
    const answer = await openPage();
    if (answer === 'snapshot' || answer === FULL || tries === MOST_TRIES) return answer;
  }
}

const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${lockscope.pid}/status`, 'utf8'))?.[1]) / 1024;

/** A raw WebSocket that never reads after its handshake; `send` writes a text frame, `ping` a ping frame. */
async function deafPage() {
  const socket = deafConnection(lockscope.url);
  deaf.push(socket);
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const head = `Host: ${new URL(lockscope.url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13`;
  socket.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${head}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`);
  return {
    socket,
    send: (text: string) => socket.write(frame(0x81, Buffer.from(text))),
    ping: () => socket.write(frame(0x89, Buffer.alloc(125, 1))),
  };
}

/** One masked frame. The mask is zero, so the payload is unchanged. */
function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? [opcode, 0x80 | length] : [opcode, 0x80 | 127, 0, 0, 0, 0, ...bytesOf(length)];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

function bytesOf(length: number): number[] {
  return [24, 16, 8, 0].map((shift) => (length >>> shift) & 255);
}

/**
 * Writes up to `times` times, as fast as the other side reads. Ends early if that closes the connection or stops
 * reading.
 */
async function flood(page: { socket: Socket }, write: (n: number) => void, times: number): Promise<void> {
  for (let n = 0; n < times && !page.socket.destroyed; n += 1) {
    write(n);
    if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    const before = page.socket.writableLength;
    if (before < 4_000_000) continue;
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (page.socket.writableLength >= before) return;
  }
}

async function expectUnharmed(): Promise<void> {
  await untilWell(lockscope);
  expect(await openPatientPage()).toBe('snapshot');
  expect(lockscope.output()).not.toMatch(/internal error/i);
  expect(memoryMb()).toBeLessThan(MOST_MB);
}

describe('places', () => {
  test('are for 100 of 130 pages, and the other 30 are refused with a message; when pages have left there is room again', async () => {
    const answers: string[] = [];
    while (answers.length < 130) answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openPatientPage))));
    const count = (answer: string) => answers.filter((each) => each === answer).length;
    expect({ taken: count('snapshot'), refused: count(FULL), all: new Set(answers) }).toEqual({
      taken: 100,
      refused: 30,
      all: new Set(['snapshot', FULL]),
    });
    for (const socket of sockets.splice(0)) socket.disconnect();
    await waitFor('room for a page', async (missing) => {
      const answer = await openPage();
      return answer === 'snapshot' || missing(answer);
    });
  });

  test('are not taken from the operator by connections that join and stay silent, or never join', async () => {
    for (let n = 0; n < 150; n += 1) {
      sockets.push(io(lockscope.url, { transports: ['websocket'], reconnection: false, forceNew: true }));
    }
    for (let n = 0; n < 300; n += 1) await deafPage();
    expect(await openPatientPage()).toBe('snapshot');
    await expectUnharmed();
  });

  test('are not taken by refused handshakes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => handshake(lockscope.url, { Origin: 'http://evil.example' })),
    );
    expect(new Set(answers.map((answer) => answer.slice(0, 'HTTP/1.1 403'.length)))).toEqual(new Set(['HTTP/1.1 403']));
    await expectUnharmed();
  });
});

describe('a page that never reads', () => {
  test('does not fill the memory, even if it keeps requesting other locks', async () => {
    const page = await deafPage();
    page.send('40');
    page.send('42["hello",{"v":1}]');
    page.send('42["want",{"locks":["redis/0/held:1"]}]');
    const lockIds = (n: number) => Array.from({ length: 1000 }, (_, k) => `redis/0/${n}:${k}:${'y'.repeat(1180)}`);
    await flood(page, (n) => page.send(`42["want",${JSON.stringify({ locks: lockIds(n) })}]`), 500);
    await expectUnharmed();
  });

  test.each([
    ['pings', (page: Awaited<ReturnType<typeof deafPage>>) => page.ping()],
    ['requests to join elsewhere', (page: Awaited<ReturnType<typeof deafPage>>) => page.send('40/elsewhere,')],
    ['hello messages', (page: Awaited<ReturnType<typeof deafPage>>) => page.send('42["hello",{"v":1}]')],
  ])('is closed if it sends endless %s', async (_what, sendOne) => {
    const page = await deafPage();
    page.send('40');
    await flood(page, () => sendOne(page), 20_000);
    await waitFor('the connection to be closed', () => {
      page.socket.resume();
      return page.socket.destroyed;
    });
    await expectUnharmed();
  });
});

test('invalid messages do no harm', async () => {
  const junk = ['', '4', '41', '42[]', '42["hello",{"v":1,"after":1e99}]', '42["want",{"__proto__":{"events":false}}]'];
  const odd = [
    '42["__proto__",{}]',
    '42["disconnect"]',
    '42[null]',
    '420["hello",{"v":1}]',
    '40/admin,',
    '2probe',
    '5',
    '6',
  ];
  const bad = [
    '459999999-["hello",{"_placeholder":true,"num":0}]',
    'x'.repeat(100_000),
    `42["hello",${'['.repeat(200_000)}`,
  ];
  for (const text of [...junk, ...odd, ...bad, '4'.repeat(3_000_000)]) {
    const page = await deafPage();
    page.send('40');
    page.send(text);
  }
  const raw = await deafPage();
  raw.socket.write(Buffer.from('81ff7fffffffffffffff00000000', 'hex'));
  await expectUnharmed();
});

describe('programs that connect and request nothing', () => {
  test('do no harm, even 1,200 of them', async () => {
    for (let n = 0; n < 1200; n += 1) deaf.push(deafConnection(lockscope.url));
    await expectUnharmed();
  });
});
