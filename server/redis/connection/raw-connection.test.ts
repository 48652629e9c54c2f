import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { problemFromError } from './problem.ts';
import { RawConnection } from './raw-connection.ts';
import { RedisError, type Reply, TooLong } from './reply.ts';

const WHERE = 'redis://there';
let server: Server;
let accepted: Socket[];
let connection: RawConnection;
let reason: Error | undefined;
/** The memory that the connection reads into. */
const room = Buffer.alloc(1024);

/** Connects to a server that writes only what the test writes. */
beforeEach(async () => {
  accepted = [];
  reason = undefined;
  server = createServer((socket) => {
    accepted.push(socket.on('error', () => undefined));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = parseRedisUrl(`redis://127.0.0.1:${port}`);
  if (!url.ok) throw new Error('the URL is wrong');
  connection = await RawConnection.open(url.value, room);
  connection.handlers = {
    onClose: (error) => {
      reason = error;
    },
  };
  await expect.poll(() => accepted.length).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  connection.close();
  for (const socket of accepted) socket.destroy();
  server.close();
});

/** Writes to the connection and waits until the bytes have been read. */
async function write(text: string): Promise<void> {
  const before = connection.received;
  accepted[0]?.write(text, 'latin1');
  while (connection.received < before + text.length) await new Promise((resolve) => setImmediate(resolve));
}

async function untilEnded(): Promise<void> {
  while (!reason) await new Promise((resolve) => setImmediate(resolve));
}

const REQUESTS: [string, string, () => unknown][] = [
  ['a command', 'HELLO', () => connection.command('HELLO', '3')],
  ['a pipeline', 'SCAN', () => connection.pipeline([['SCAN', '0'], ['TIME']])],
  ['a subscription', 'PSUBSCRIBE', () => connection.subscribe('PSUBSCRIBE', 'a', 'b')],
  ['ordered commands', 'MULTI', () => connection.ordered([['MULTI'], ['EXEC']], () => undefined)],
];

test.each(REQUESTS)(
  '%s without an answer ends the connection after ten seconds, and the reason names %s',
  async (_, name, send) => {
    const sent = Promise.resolve(send()).catch((error: unknown) => error);
    vi.advanceTimersByTime(9999);
    expect(reason).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(problemFromError(reason, WHERE, 'app')).toMatchObject({
      code: 'no-answer',
      message: `${WHERE} did not answer ${name} within 10 s.`,
    });
    await sent;
  },
);

test('a subscription that is confirmed only in part ends the connection after ten seconds as well', async () => {
  const sent = connection.subscribe('PSUBSCRIBE', 'a', 'b').catch((error: unknown) => error);
  await write('>3\r\n$10\r\npsubscribe\r\n$1\r\na\r\n:1\r\n');
  vi.advanceTimersByTime(10_000);
  expect(await sent).toBe(reason);
  expect(reason?.message).toBe('no answer to PSUBSCRIBE within 10 s');
});

test('each command has ten seconds from when it was sent', async () => {
  const first = connection.command('GET', 'a');
  vi.advanceTimersByTime(6000);
  const second = connection.command('TIME');
  await write('$1\r\na\r\n');
  expect(await first).toBe('a');
  vi.advanceTimersByTime(9000);
  expect(reason).toBeUndefined();
  await write(':1\r\n');
  expect(await second).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(reason).toBeUndefined(); // nothing is under way
});

test('a reply of which a megabyte arrives every ten seconds may take a minute', async () => {
  const sent = connection.command('CLIENT', 'LIST').catch((error: unknown) => error);
  await write('$999999999\r\n');
  for (let turn = 0; turn < 5; turn++) {
    await write('x'.repeat(1024 * 1024));
    vi.advanceTimersByTime(10_000);
    expect(reason).toBeUndefined();
  }
  await write('x'.repeat(1024 * 1024));
  vi.advanceTimersByTime(10_000);
  expect(await sent).toBe(reason);
  expect(reason?.message).toBe('no answer to CLIENT within 60 s');
});

test('a long reply to a command that was sent soon after another one may take a minute as well', async () => {
  const first = connection.command('SELECT', '0');
  vi.advanceTimersByTime(1);
  const sent = connection.command('LRANGE', 'a', '0', '-1').catch((error: unknown) => error);
  await write('+OK\r\n');
  await first;
  await write('$999999999\r\n');
  for (let turn = 0; turn < 5; turn++) {
    await write('x'.repeat(1024 * 1024));
    vi.advanceTimersByTime(10_000);
    expect(reason).toBeUndefined();
  }
  await write('x'.repeat(1024 * 1024));
  vi.advanceTimersByTime(10_001);
  expect(await sent).toBe(reason);
  expect(reason?.message).toBe('no answer to LRANGE within 60 s');
});

test('after a stop of the process, what arrived meanwhile is read before a command counts as late', async () => {
  const sent = connection.command('GET', 'a');
  const now = performance.now() + 300_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.advanceTimersByTime(10_000);
  expect(reason).toBeUndefined();
  await write('$1\r\na\r\n');
  expect(await sent).toBe('a');
  vi.restoreAllMocks();
});

test('a reply of which only some bytes arrive in ten seconds ends the connection', async () => {
  const sent = connection.command('CLIENT', 'LIST').catch((error: unknown) => error);
  await write(`$999999999\r\n${'x'.repeat(1000)}`);
  vi.advanceTimersByTime(10_000);
  expect(await sent).toBe(reason);
});

test('a string that is too long is replaced in its reply, and the connection goes on', async () => {
  const asked = connection.pipeline([['LRANGE'], ['GET', 'a']]);
  const long = 'x'.repeat(3_000_000);
  await write(`*2\r\n$3000000\r\n${long}\r\n$1\r\nb\r\n-ERR no\r\n`);
  const [list, error] = await asked;
  expect(list).toEqual([new TooLong(3_000_000), 'b']);
  expect(error).toBeInstanceOf(RedisError);
  expect(reason).toBeUndefined();
});

test.each([
  ['HTTP/1.1 400 Bad Request\r\n', 'not-redis', 'redis://there is not Redis.'],
  ['+OK\r\nX', 'unreadable-reply', 'redis://there sent bytes that are not RESP. Redis never does.'],
  [
    '*1\r\n'.repeat(40),
    'unreadable-reply',
    'redis://there sent a reply nested more than 32 levels deep. Redis never does.',
  ],
])('%j ends the connection with the problem %s', async (text, code, message) => {
  const sent = connection.command('HELLO', '3').catch((error: unknown) => error);
  await write(text);
  await untilEnded();
  expect(problemFromError(reason, WHERE, 'app')).toMatchObject({ code, message });
  await sent;
});

test('a connection that the server closes ends with that reason', async () => {
  await write('+OK\r\n');
  accepted[0]?.destroy();
  await untilEnded();
  expect(problemFromError(reason, WHERE, 'app').code).toBe('cut');
});

test('a connection that is closed with a reason rejects its commands with that reason', async () => {
  const sent: Promise<Reply> = connection.command('PUBLISH', 'a', 'b');
  connection.close(new Error('the other connection was cut'));
  await expect(sent).rejects.toThrow('the other connection was cut');
  expect(reason).toBeUndefined();
});

test('a connection reads into the given memory, and continues at the place to which its handler has skipped', async () => {
  const lines: [isInRoom: boolean, text: string][] = [];
  connection.handlers.onLine = (buffer, start, end) => {
    lines.push([buffer.buffer === room.buffer, buffer.toString('latin1', start, end)]);
  };
  connection.handlers.skip = (read, line, from) => (read[line + 1] === 49 ? read.indexOf('+3') : from);
  await write('+1.1 a\r\n+2.1 b\r\n+3.1 c\r\n+4.1 d\r\n');
  expect(lines).toEqual([
    [true, '1.1 a'],
    [true, '3.1 c'],
    [true, '4.1 d'],
  ]);
});
