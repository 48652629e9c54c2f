import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { problemFromError } from '../connection/problem.ts';
import { probeRedis } from './try-levels.ts';

/** The problem of a server that answers every command with the same bytes, or with what it received. */
async function problemOf(reply: string | undefined): Promise<string | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => socket.write(reply ?? bytes));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = parseRedisUrl(`redis://user:word@127.0.0.1:${port}`);
  if (!url.ok) throw new Error('the URL is wrong');
  const { problem } = await probeRedis(url.value, (error) => problemFromError(error, 'redis://there', 'user'));
  return problem?.code;
}

test.each([
  ['echoes every byte', undefined, 'not-redis'],
  ['answers HELLO with null', '_\r\n', 'not-redis'],
  ['answers HELLO without a version', '%1\r\n$4\r\nrole\r\n$6\r\nmaster\r\n', 'not-redis'],
  ['has version 5', '%1\r\n$7\r\nversion\r\n$6\r\n5.0.14\r\n', 'too-old'],
])('a server that %s cannot be observed', async (_, reply, code) => {
  expect(await problemOf(reply)).toBe(code);
});
