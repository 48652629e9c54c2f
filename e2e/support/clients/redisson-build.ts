import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../redisson/', import.meta.url));
const SOURCES = join(PROJECT, 'src/main/java/lockscope/interop');

/** Running and finished builds, by version: several clients of one version start at once. */
const builds = new Map<string, Promise<string>>();

/**
 * Builds the driven client against one Redisson version and returns its class path.
 * Nothing is downloaded or compiled again while `target/VERSION` matches the sources.
 */
export function buildDrivenClient(version: string): Promise<string> {
  const build = builds.get(version) ?? buildOnce(version);
  builds.set(version, build);
  return build;
}

async function buildOnce(version: string): Promise<string> {
  if (!/^[\w.-]+$/.test(version)) throw new Error(`not a Redisson version: ${version}`);
  const target = join(PROJECT, 'target', version);
  const classpath = [join(target, 'classes'), join(target, 'lib', '*')].join(':');
  const stamp = join(target, 'built-from');
  const sources = await fingerprint();
  if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return classpath;

  await rm(join(target, 'classes'), { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  try {
    await run('mvn', ['-q', '-B', `-Dredisson.version=${version}`, 'compile'], { cwd: PROJECT, maxBuffer: 64 << 20 });
  } catch (error) {
    throw new Error(`could not build the Java client against Redisson ${version}: ${whyOf(error)}`);
  }
  await writeFile(stamp, sources);
  return classpath;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(SOURCES)).sort()) hash.update(await readFile(join(SOURCES, name)));
  hash.update(await readFile(join(PROJECT, 'pom.xml')));
  return hash.digest('hex');
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT')
    return 'Maven (mvn) is not installed; on Debian: apt-get install maven';
  const output = 'stdout' in error ? String(error.stdout) : '';
  return (
    output
      .split('\n')
      .filter((line) => line.includes('ERROR'))
      .slice(0, 5)
      .join('\n') || error.message
  );
}
