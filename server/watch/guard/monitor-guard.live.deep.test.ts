import { expect, test } from 'vitest';
import { openCommandConnection } from '../../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { openFeed } from '../../testing/open-feed.ts';
import { MonitorGuard } from './monitor-guard.ts';

const MB = 1024 * 1024;

async function write20Mb(redis: LocalRedis): Promise<void> {
  const connection = openCommandConnection({ url: redis.url });
  await connection.whenReady(60_000);
  for (let n = 0; n < 20; n++) await connection.call('SET', 'a', 'x'.repeat(MB));
  connection.close();
}

test('a cut is harm if this server may have filled its buffer; figures of another server are ignored', async () => {
  const [firstServer, secondServer] = [await startLocalRedis(), await startLocalRedis()];
  try {
    const guard = new MonitorGuard();
    const first = await openFeed(firstServer.url, 'monitor');
    expect(await guard.meetServer(first, true)).toBeUndefined();
    first.close();
    await write20Mb(secondServer);
    guard.noteCut(performance.now(), 0);
    const second = await openFeed(secondServer.url, 'monitor');
    expect(await guard.meetServer(second, true)).toBeUndefined();
    second.close();
    await write20Mb(secondServer);
    guard.noteCut(performance.now(), 0);
    const third = await openFeed(secondServer.url, 'monitor');
    expect(await guard.meetServer(third, true)).toMatchObject({ message: expect.stringMatching(/MONITOR connection/) });
    third.close();
  } finally {
    await Promise.all([firstServer.stop(), secondServer.stop()]);
  }
});
