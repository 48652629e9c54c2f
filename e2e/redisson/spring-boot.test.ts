import { afterAll, beforeAll, expect, test } from 'vitest';
import { runExample } from '../support/clients/spring-boot-example.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

let redis: RunningRedis;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url);
});
afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
});

test('examples/spring-boot: the correct service passes, and the faulty service fails with the lock it left behind', async (context) => {
  const servers = { REDIS_URL: redis.url, LOCKSCOPE_URL: lockscope.url, LOCKSCOPE_TOKEN: '' };
  const { code, output, correct, faulty, unreachable } = await runExample(servers);
  if (correct === '' && unreachable) context.skip(`Maven cannot download what the example needs: ${unreachable}`);
  expect(correct, output).toMatch(/ tests="3" errors="0" skipped="0" failures="0"/);
  expect(faulty, output).toMatch(/ tests="1" errors="0" skipped="0" failures="1"/);
  expect(faulty).toMatch(/stock:coffee {2}held by [-\w]+:\d+ \(client orders\) since \d\d:\d\d:\d\d/);
  expect(faulty.match(/ held by /g)?.length).toBe(faulty.match(/stock:coffee {2}held by /g)?.length);
  expect(code).toBe(1);
});
