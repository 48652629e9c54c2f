import { expect, test } from 'vitest';
import { ClientProcess } from './client-process.ts';

test('an operation of a process that has ended is lost at once', async () => {
  const client = new ClientProcess({ redisUrl: 'redis://127.0.0.1:1', name: 'a', threads: 1, watchdogMs: 6000 });
  await client.kill();
  const outcome = client.begin({ op: 1, thread: 1, action: 'lock', lock: 'orders:42' });
  expect(await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 500, 'no outcome'))])).toEqual({
    ...{ ok: false, isLost: true },
    result: 'the client process ended',
  });
  expect(client.underWay.size).toBe(0);
});
