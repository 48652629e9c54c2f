import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { NodeRing } from './node-ring.ts';

let server: Server | undefined;
let ring: NodeRing | undefined;
afterEach(() => {
  ring?.close();
  server?.close();
});

/** The first bytes that a server gets if it is asked over TLS at this host. */
async function helloTo(host: string): Promise<string> {
  let hello = '';
  const listening = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      hello += bytes.toString('latin1');
      socket.destroy();
    });
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = parseRedisUrl(`rediss://${host}:${port}`);
  if (!url.ok) throw new Error(url.error);
  ring = new NodeRing([url.value]);
  await expect(ring.ask('PING')).rejects.toThrow();
  return hello;
}

test('over TLS, the name of a host is sent', async () => {
  expect(await helloTo('localhost')).toContain('localhost');
});

test.each(['127.0.0.1', '[::ffff:127.0.0.1]'])('over TLS, the address %s is not sent as a name', async (host) => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  const hello = await helloTo(host);
  process.off('warning', note);
  expect(hello.length).toBeGreaterThan(100);
  expect(hello).not.toMatch(/127\.0\.0\.1|::ffff:/);
  expect(warnings).toEqual([]);
});
