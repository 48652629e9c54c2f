import { expect, test } from 'vitest';
import { LockFinder } from './find-locks.ts';

const stats = (ops: number) => `# Stats\r\ninstantaneous_ops_per_sec:${ops}\r\npubsub_channels:0\r\n`;

test('during a scan the known command rate can only become lower; before the next scan it is read again', async () => {
  let asked = 19_000;
  const finder = new LockFinder(async ([name]) => [name === 'INFO' ? stats(asked) : []], []);
  finder.hear('');
  expect(finder.opsPerSecond).toBe(Number.POSITIVE_INFINITY);
  await finder.waitedFor();
  expect(finder.opsPerSecond).toBe(19_000);
  finder.hear(stats(600));
  expect(finder.opsPerSecond).toBe(600);
  finder.hear(stats(30_000));
  expect(finder.opsPerSecond).toBe(600);
  asked = 20_000;
  await finder.waitedFor();
  expect(finder.opsPerSecond).toBe(20_000);
});
