import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandConnection, openCommandConnection } from './command-connection.ts';

let folder: string;
let servers: Server[];
let connection: CommandConnection | undefined;
/** What the client sent, one word a line. */
let sent: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-connection-'));
  servers = [];
  sent = '';
});
afterEach(() => {
  connection?.close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server that accepts every command. Returns its port; 0 for a socket file. */
async function listen(where: { path: string } | { host: string; port: number }): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      sent += text.replace(/[*$]\d+\r\n/g, '').replaceAll('\r\n', '\n');
      socket.write('+OK\r\n'.repeat(text.match(/\*\d+\r\n/g)?.length ?? 0));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(where, resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

test.each([
  ['?db=2', 'select\n2\n'],
  ['/2/', 'select\n2\n'],
  ['/3?db=2', 'select\n3\n'],
  ['?username=app&password=p%40ss', 'auth\napp\np@ss\n'],
])('a connection to redis://HOST%s sends the login or the database of the URL', async (end, words) => {
  const port = await listen({ host: '127.0.0.1', port: 0 });
  connection = openCommandConnection({ url: `redis://127.0.0.1:${port}${end}`, isOnce: true });
  await connection.whenReady(5000);
  expect(sent).toContain(words);
});

test('a connection to a socket file sends the login and the database of the URL', async () => {
  await listen({ path: join(folder, 'a b.sock') });
  const url = `unix://app:secret@${folder}/a%20b.sock?db=1`;
  connection = openCommandConnection({ url, isOnce: true });
  await connection.whenReady(5000);
  expect(sent).toContain('auth\napp\nsecret\n');
  expect(sent).toContain('select\n1\n');
});

test('a URL that cannot be read is refused, without its password', () => {
  expect(() => openCommandConnection({ url: 'redis://app:secret@h:1/orders' })).toThrow(
    'redis://h:1/orders: the part after the host must be a database number',
  );
});
