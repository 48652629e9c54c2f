import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** What a server answered. */
type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** One request with exactly these headers, also `Host` and `Origin`, which `fetch` does not let a caller set. */
export function rawRequest(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** A paused TCP connection to the server of that URL: it reads only after the test calls `resume()`. */
export function deafConnection(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  return socket;
}

const FIRST_BYTE_WITHIN_MS = 60_000;
const SILENT_FOR_MS = 2000;

/**
 * Sends bytes and returns the reply. The reply ends once it matches `whole`, the server closes the connection, or the
 * server sends nothing: for 60 s before the first byte, for 2 s after it.
 */
export function rawExchange(url: string, bytes: string, whole?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(FIRST_BYTE_WITHIN_MS, end);
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      if (whole?.test(text)) end();
      socket.setTimeout(SILENT_FOR_MS);
    });
    socket.on('error', end);
    socket.on('close', end);
    socket.write(bytes);
  });
}

const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** An answer that accepts a WebSocket, up to the first message on it. */
const OPENED = /^HTTP\/1\.1 101 [\s\S]*"sid":"[^"]+"/;

/** Requests a WebSocket as a browser does. Returns the answer, with the first message if the request was accepted. */
export function handshake(
  url: string,
  headers: Record<string, string> = {},
  query = 'EIO=4&transport=websocket',
  path = '/socket.io/',
): Promise<string> {
  const all = { Host: new URL(url).host, ...HANDSHAKE, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawExchange(url, `GET ${path}?${query} HTTP/1.1\r\n${lines.join('')}\r\n`, OPENED);
}
