import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/**
 * A process that echoes what a page sends it, over socket.io with its default settings.
 *
 *   echo server         bench
 *   its URL        →
 */
const PAGE = '<!doctype html><title>echo</title><script src="/socket.io/socket.io.js"></script>';
const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
const io = new Server(server, { serveClient: true, maxHttpBufferSize: 10_000_000 });
io.on('connection', (socket) => socket.on('echo', (body: unknown) => socket.emit('echo', body)));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  process.send?.(`http://127.0.0.1:${port}/`);
});
process.on('disconnect', () => process.exit(0));
