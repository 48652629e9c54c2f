import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { isLoopbackHost } from './guard/loopback.ts';
import { errorBodyOf } from './problems/problem.ts';
import { boundHandshakes, HANDSHAKE_MS, type TlsTexts } from './tls.ts';

/** Paths contain lock names, which may have a megabyte. If other machines can connect, the limit is smaller. */
const HEADER_LIMIT_HERE = 4 * 1024 * 1024;
const HEADER_LIMIT_BEYOND = 64 * 1024;
/** How long a refused client may keep sending before its connection is closed. */
const READ_ON_MS = 5000;
/** How long a connection may take for its headers, for a whole request, and without any traffic. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
const STILL_MS = 120_000;
/**
 * How long a connection is kept for the next request. Most clients and load balancers close their connections earlier
 * (nginx after 60 s), so they do not send a request on a connection that we are just closing.
 */
const KEPT_MS = 75_000;
const CHECK_EVERY_MS = 2000;

/** The address cannot be listened on. The message names the reason and what to do. */
class ListenError extends Error {}

/** An HTTP server that is not listening yet, or an HTTPS server if there is a certificate. */
export function createHttpServer(host: string, tls?: TlsTexts): Server | HttpsServer {
  const limits = {
    maxHeaderSize: isLoopbackHost(host) ? HEADER_LIMIT_HERE : HEADER_LIMIT_BEYOND,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  };
  const server = tls ? secureServer(limits, tls) : createServer(limits);
  server.timeout = STILL_MS;
  server.keepAliveTimeout = KEPT_MS;
  const handshaken = new WeakSet<Duplex>();
  server.on('secureConnection', (socket: Duplex) => handshaken.add(socket));
  const newest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => newest.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Before its TLS handshake is complete, a client could not read an answer.
    if (server instanceof TlsServer && !handshaken.has(socket)) return socket.destroy();
    const isUnreadable = error.code?.startsWith('HPE_') === true;
    if (isUnreadable && (socket.writableEnded || isAnswering(newest.get(socket)))) return; // the client keeps sending
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    // Browsers open connections in advance. They would take an answer on such a connection for the answer to their
    // first request.
    if (isTimeout(error) && (socket as Socket).bytesRead === 0) return socket.destroy();
    const { status, problem } = refusalOf(error);
    const body = JSON.stringify(errorBodyOf({ problem }));
    const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
    // Closing while the client still sends would be a reset, and the client would lose the answer.
    setTimeout(() => socket.destroy(), READ_ON_MS).unref();
  });
  return server;
}

function secureServer(limits: ServerOptions, tls: TlsTexts): HttpsServer {
  const server = createHttpsServer({ ...limits, ...tls, handshakeTimeout: HANDSHAKE_MS });
  boundHandshakes(server);
  return server;
}

function isTimeout({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** The status line and the problem for a request that could not be read. */
function refusalOf(error: NodeJS.ErrnoException): { status: string; problem: Problem } {
  if (isTimeout(error)) return { status: '408 Request Timeout', problem: problem('not-sent') };
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  if (isTooLong) return { status: '431 Request Header Fields Too Large', problem: problem('too-long') };
  return { status: '400 Bad Request', problem: problem('unreadable-request') };
}

/**
 * Whether this answer is being sent, or is the last of its connection. The client would read a second answer as a part
 * of it.
 */
function isAnswering(answer: ServerResponse | undefined): boolean {
  return answer?.headersSent === true && !(answer.writableFinished && answer.shouldKeepAlive);
}

/** Listens and returns the port. Rejects with `ListenError`. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(new ListenError(wordsFor(error, host, port)));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      const address = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
      resolve(address.port);
    });
  });
}

/** Of the requests that arrive before the first listener, this many are kept; further ones are cut off. */
const MOST_HELD = 1000;

/**
 * Keeps the requests that arrive before any listener can answer them. Without a listener, they would wait until their
 * connection is closed. Returns a function that passes them to the listeners, and keeps none from then on.
 */
export function holdRequests(server: Server, most = MOST_HELD): () => void {
  const held: [IncomingMessage, ServerResponse][] = [];
  // Socket.IO moves all listeners into one of its own. So this one cannot be removed, and goes on being called.
  let isHolding = true;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isHolding) return;
    if (held.length < most) held.push([request, response]);
    else request.destroy();
  });
  return () => {
    isHolding = false;
    for (const [request, response] of held.splice(0)) server.emit('request', request, response);
  };
}

function wordsFor(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is already in use. Choose another with --port N, or a free one with --port 0.`;
    case 'EACCES':
      return `You may not use port ${port}. Choose one above 1023 with --port N, or a free one with --port 0.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Choose one that is with --host, or leave out --host.`;
    default:
      return `Cannot listen on ${host} port ${port}: ${error.message}. Try another with --port 0.`;
  }
}
