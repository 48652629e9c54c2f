import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAMS } from '../../package-info.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';

/** A parent that forks a client, prints its process id, and kills itself some ms later. */
const PARENT = `
  const client = require('node:child_process').fork(process.argv[1], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  process.stdout.write(client.pid + '\\n', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.argv[2])));
`;

let redis: LocalRedis;
beforeAll(async () => {
  redis = await startLocalRedis();
});
afterAll(() => redis?.stop());

test.each([0, 50, 100, 200, 1000])('a client whose parent is killed after %i ms exits as well', async (ms) => {
  const env = { ...process.env, DEMO_REDIS_URL: redis.url, DEMO_CLIENT_NAME: 'orphan' };
  const parent = spawn(process.execPath, ['-e', PARENT, PROGRAMS.demoClient, `${ms}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = await once(parent.stdout, 'data');
  const pid = Number(chunk);
  await once(parent, 'exit');
  try {
    await expect.poll(() => isThere(pid)).toBe(false);
  } finally {
    if (isThere(pid)) process.kill(pid, 'SIGKILL');
  }
});

/** False for a zombie: an orphan that has ended, but that no parent has reaped. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
