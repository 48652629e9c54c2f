import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLE = fileURLToPath(new URL('../../../examples/spring-boot', import.meta.url));
/** The example is built here, so that its classes are still there at the next run. */
const PROJECT = fileURLToPath(new URL('../../redisson/target/spring-boot', import.meta.url));
/** Enough time to download everything that the build needs. */
const WITHIN_MS = 400_000;
/**
 * What Maven writes if a repository does not answer. For a version that does not exist, Maven writes "Could not find
 * artifact" instead.
 */
const NO_REPOSITORY = /^.*(?:Could not transfer artifact|Unknown host).*$/m;
/** In a JVM that runs for a few seconds, full compilation costs more time than it saves. */
const QUICK_START = '-XX:TieredStopAtLevel=1';

/** What Maven reports about the tests of `examples/spring-boot`. */
type ExampleRun = {
  readonly code: number;
  readonly output: string;
  /** The report of the tests that pass; empty if they did not run. */
  readonly correct: string;
  /** The report of `FaultyReservationsTest`, which fails on purpose. */
  readonly faulty: string;
  /** The line with which Maven reports that it cannot download what the example needs. */
  readonly unreachable: string | undefined;
};

/** Runs all tests of the example, including the one that fails. `env` names the servers. */
export async function runExample(env: Readonly<Record<string, string>>): Promise<ExampleRun> {
  await rm(join(PROJECT, 'src'), { recursive: true, force: true });
  await rm(join(PROJECT, 'target/surefire-reports'), { recursive: true, force: true });
  await mkdir(PROJECT, { recursive: true });
  for (const name of ['pom.xml', 'src'])
    await cp(join(EXAMPLE, name), join(PROJECT, name), { recursive: true, preserveTimestamps: true });
  const options = {
    cwd: PROJECT,
    env: { ...process.env, ...env, MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ''} ${QUICK_START}` },
    maxBuffer: 64 << 20,
    timeout: WITHIN_MS,
  };
  const args = ['-B', '-ntp', 'test', '-DexcludedGroups=', `-DargLine=${QUICK_START}`];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve, reject) => {
    execFile('mvn', args, options, (error, stdout) => {
      const code = error?.code ?? 0;
      if (typeof code === 'number') resolve({ code, output: stdout });
      else reject(error);
    });
  });
  const [correct, faulty] = [await reportOf('ReservationsTest'), await reportOf('FaultyReservationsTest')];
  return { code, output, correct, faulty, unreachable: NO_REPOSITORY.exec(output)?.[0] };
}

const reportOf = (name: string) =>
  readFile(join(PROJECT, `target/surefire-reports/TEST-com.example.orders.${name}.xml`), 'utf8').catch(() => '');
