import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lockscope, startLockscope } from '../support/clients/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/spring-boot', import.meta.url));
/** The example is built here, so that its classes are still there at the next run. */
const PROJECT = fileURLToPath(new URL('./target/spring-boot', import.meta.url));
/** Also with everything to download. */
const WITHIN_MS = 400_000;
/** What Maven writes if a repository does not answer. A version that does not exist is "Could not find artifact". */
const NO_REPOSITORY = /^.*(?:Could not transfer artifact|Unknown host).*$/m;
/** A JVM of a few seconds compiles more than it saves. */
const QUICK_START = '-XX:TieredStopAtLevel=1';

let redis: RunningRedis;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscope(redis.url);
});
afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
});

/** Runs all tests of the example, also the one that fails. */
async function runTests(): Promise<{ code: number; output: string }> {
  await rm(join(PROJECT, 'src'), { recursive: true, force: true });
  await rm(join(PROJECT, 'target/surefire-reports'), { recursive: true, force: true });
  await mkdir(PROJECT, { recursive: true });
  for (const name of ['pom.xml', 'src'])
    await cp(join(EXAMPLE, name), join(PROJECT, name), { recursive: true, preserveTimestamps: true });
  const servers = { REDIS_URL: redis.url, LOCKSCOPE_URL: lockscope.url, LOCKSCOPE_TOKEN: '' };
  const env = { ...process.env, ...servers, MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ''} ${QUICK_START}` };
  const options = { cwd: PROJECT, env, maxBuffer: 64 << 20, timeout: WITHIN_MS };
  const args = ['-B', '-ntp', 'test', '-DexcludedGroups=', `-DargLine=${QUICK_START}`];
  return new Promise((resolve, reject) => {
    execFile('mvn', args, options, (error, stdout) => {
      const code = error?.code ?? 0;
      if (typeof code === 'number') resolve({ code, output: stdout });
      else reject(error);
    });
  });
}

const reportOf = (name: string) =>
  readFile(join(PROJECT, `target/surefire-reports/TEST-com.example.orders.${name}.xml`), 'utf8').catch(() => '');

test('examples/spring-boot: the correct service passes, and the faulty one fails with the lock it left behind', async (context) => {
  const { code, output } = await runTests();
  const [correct, faulty] = [await reportOf('ReservationsTest'), await reportOf('FaultyReservationsTest')];
  const unreachable = NO_REPOSITORY.exec(output)?.[0];
  if (correct === '' && unreachable) context.skip(`Maven cannot download what the example needs: ${unreachable}`);
  expect(correct, output).toMatch(/ tests="3" errors="0" skipped="0" failures="0"/);
  expect(faulty, output).toMatch(/ tests="1" errors="0" skipped="0" failures="1"/);
  expect(faulty).toMatch(/stock:coffee {2}held by [-\w]+:\d+ \(client orders\) since \d\d:\d\d:\d\d/);
  expect(faulty.match(/ held by /g)?.length).toBe(faulty.match(/stock:coffee {2}held by /g)?.length);
  expect(code).toBe(1);
});
