import { createServer as createHttpServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A reverse proxy in front of one server. */
type PrefixProxy = { readonly origin: string; end(): Promise<void> };

type PrefixProxyOptions = {
  /** The prefix, for example `/tools`. The proxy removes it from each path, and names it in `X-Forwarded-Prefix`. */
  readonly prefix: string;
  /**
   * The origin of the server behind the proxy. As proxies do by default, this one sends the server's own name as Host.
   */
  readonly to: string;
  readonly tls?: { readonly key: string; readonly cert: string };
};

/** Starts a reverse proxy on a free loopback port, which also passes WebSockets on. */
export async function startPrefixProxy({ prefix, to, tls }: PrefixProxyOptions): Promise<PrefixProxy> {
  const sockets = new Set<Socket>();
  const pass = (req: IncomingMessage) => {
    const { hostname, port, host } = new URL(to);
    const { host: asked = '', ...headers } = req.headers;
    const forwarded = { 'x-forwarded-host': asked, 'x-forwarded-prefix': prefix };
    const path = req.url?.startsWith(`${prefix}/`) ? req.url.slice(prefix.length) : '/not-behind-this-proxy';
    return request({ hostname, port, path, method: req.method, headers: { ...headers, ...forwarded, host } });
  };
  const server: Server = tls ? createHttpsServer(tls) : createHttpServer();
  server.on('request', (req, res) => {
    const inner = pass(req);
    inner.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    inner.on('error', () => res.destroy());
    req.pipe(inner);
  });
  server.on('upgrade', (req, socket: Socket, first: Buffer) => {
    const inner = pass(req);
    inner.on('upgrade', (answer, innerSocket, firstAnswer) => {
      const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head.join('\r\n')}\r\n\r\n`);
      // bytes that arrived together with the handshake
      innerSocket.write(first);
      socket.write(firstAnswer);
      innerSocket.pipe(socket).pipe(innerSocket);
      innerSocket.on('error', () => socket.destroy());
      socket.on('close', () => innerSocket.destroy());
    });
    inner.on('response', (answer) => {
      socket.end(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\n\r\n`);
    });
    inner.on('error', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    inner.end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async end() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
