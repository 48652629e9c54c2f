import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { Server as SocketServer } from 'socket.io';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer, holdRequests, listen } from './http-server.ts';

/** More than the buffers of a connection take, so the answer is still on its way when the next bytes arrive. */
const ANSWER_BYTES = 20 * 1024 * 1024;
const NOT_HTTP = '{"level":"monitor"}';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the bytes to a server that answers every request with `answerBytes` bytes. Returns all that it sends. */
async function exchange(answerBytes: number, ...parts: string[]): Promise<string> {
  server = createHttpServer('127.0.0.1');
  server.keepAliveTimeout = 100; // otherwise the test waits for the end of the connection
  server.on('request', (_request, response) => response.end('a'.repeat(answerBytes)));
  const socket = connect(await listen(server, '127.0.0.1', 0), '127.0.0.1');
  let reply = '';
  for (const part of parts) {
    const answered = once(server, 'request');
    socket.write(part);
    if (part !== parts.at(-1)) await answered;
  }
  socket.on('data', (data: Buffer) => (reply += data.toString('latin1')));
  await once(socket, 'close');
  return reply;
}

const answersIn = (reply: string) => reply.match(/HTTP\/1\.1 \d+/g);
const request = (connection: string) => `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;

test('bytes that are not a request are answered with 400', async () => {
  expect(answersIn(await exchange(2, NOT_HTTP))).toEqual(['HTTP/1.1 400']);
});

test.each(['close', 'keep-alive'])(
  'bytes that are not a request, sent after a request (%s), add nothing to its response',
  async (connection) => {
    const reply = await exchange(ANSWER_BYTES, request(connection), NOT_HTTP);
    expect(answersIn(reply)).toEqual(['HTTP/1.1 200']);
    expect(reply.length).toBeGreaterThan(ANSWER_BYTES);
  },
);

test('requests before the first listener are answered later, and those beyond the limit are cut off', async () => {
  server = createHttpServer('127.0.0.1');
  const answerHeld = holdRequests(server, 2);
  const address = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  const answers: Promise<number | 'cut off'>[] = [];
  for (let n = 0; n < 3; n++) {
    const arrived = once(server, 'request');
    answers.push(
      fetch(address).then(
        ({ status }) => status,
        () => 'cut off',
      ),
    );
    await arrived;
  }
  server.on('request', (_request, response) => response.end());
  answerHeld();
  expect(await Promise.all(answers)).toEqual([200, 200, 'cut off']);
});

test('once requests are no longer held, more of them than the limit are answered, also beside Socket.IO', async () => {
  server = createHttpServer('127.0.0.1');
  const answerHeld = holdRequests(server, 2);
  server.on('request', (_request, response) => response.end());
  const sockets = new SocketServer(server);
  answerHeld();
  const address = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  for (let n = 0; n < 4; n++) expect((await fetch(address)).status).toBe(200);
  await sockets.close();
});

test('the header Keep-Alive reports that a connection is kept open for 75 s', async () => {
  server = createHttpServer('127.0.0.1');
  server.on('request', (_request, response) => response.end());
  const { headers } = await fetch(`http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});

/** Returns all that the server sends on a connection on which only `begun` arrives in time. */
async function tooLate(begun: string): Promise<string> {
  server = createHttpServer('127.0.0.1');
  server.headersTimeout = 100;
  const socket = connect(await listen(server, '127.0.0.1', 0), '127.0.0.1');
  let reply = '';
  socket.on('data', (data: Buffer) => (reply += data.toString('latin1')));
  socket.write(begun);
  await once(socket, 'close');
  return reply;
}

test('an incomplete request is answered with 408 after a while', async () => {
  expect(answersIn(await tooLate('GET / HTTP/1.1\r\n'))).toEqual(['HTTP/1.1 408']);
});

test('a connection on which nothing arrives is closed without an answer', async () => {
  expect(await tooLate('')).toBe('');
});

test('an error before the TLS handshake is complete closes the connection; after it, the error is answered', () => {
  server = createHttpServer('127.0.0.1', { cert: '', key: '' });
  const late = Object.assign(new Error('late'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' });
  const [without, withTls] = [new PassThrough(), new PassThrough()];
  server.emit('clientError', late, without);
  expect([without.destroyed, without.writableEnded]).toEqual([true, false]);
  server.emit('secureConnection', withTls);
  server.emit('clientError', Object.assign(new Error('no request'), { code: 'HPE_INVALID_METHOD' }), withTls);
  expect([withTls.destroyed, withTls.writableEnded]).toEqual([false, true]); // it is answered
});
