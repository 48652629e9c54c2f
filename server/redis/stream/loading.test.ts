import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { RefusedRights } from '../rights/refused-rights.ts';
import { openConnections } from './open-connections.ts';

/** What Redis 7.0.15 answers while it loads its data: it replies to HELLO and INFO, and refuses every other command. */
function answerOf(command: string): string {
  if (command === 'HELLO') return '%3\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n+role\r\n+master\r\n';
  if (command !== 'INFO') return '-LOADING Redis is loading the dataset in memory\r\n';
  const info = '# Persistence\r\nloading:1\r\nasync_loading:0\r\nloading_eta_seconds:12\r\n';
  return `$${info.length}\r\n${info}\r\n`;
}

test('a server that loads its data is not watched, and the problem names that and the remaining time', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const [, command = ''] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(answerOf(command));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = parseRedisUrl(`redis://127.0.0.1:${port}`);
  if (!url.ok) throw new Error('no URL');
  const opened = openConnections(url.value, 'monitor', { rights: new RefusedRights(), match: [] });
  await expect(opened).rejects.toMatchObject({ problem: { code: 'loading', values: { seconds: 12 } } });
  server.close();
});
