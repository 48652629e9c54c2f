import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isRunning } from '../support/process-state.ts';
import { pause } from '../support/wait-for.ts';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('./', import.meta.url));
const TARGET = join(HERE, 'target');

/** The Python libraries that the tests use. */
const PYTHON_LIBRARIES = [
  ...['redis==8.1.0', 'python-redis-lock==4.0.1', 'celery==5.7.0', 'packaging==25.0'],
  ...['celery-singleton==0.3.1', 'celery-once==3.0.1', 'celery-redbeat==2.4.2'],
];

/** Installs the Python libraries in their own virtual environment. Returns the path of its Python. */
export async function installPython(): Promise<string> {
  const venv = join(TARGET, 'python');
  const python = join(venv, 'bin', 'python');
  await once(join(venv, 'installed'), PYTHON_LIBRARIES.join(' '), async () => {
    await rm(venv, { recursive: true, force: true });
    await succeed('python3', ['-m', 'venv', venv], 'Python 3 with venv; on Debian: apt-get install python3-venv');
    await succeed(
      python,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PYTHON_LIBRARIES],
      'pip',
    );
  });
  return python;
}

/** Installs the Node libraries beside their clients. */
export async function installNode(): Promise<void> {
  const cwd = join(HERE, 'node');
  const wanted = await fingerprint([join(cwd, 'package-lock.json')]);
  await once(join(TARGET, 'node-installed'), wanted, () =>
    succeed('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'npm', cwd),
  );
}

/** Builds the Spring clients and returns their class path. */
export async function buildJava(spring: '5' | '7'): Promise<string> {
  const cwd = join(HERE, 'java');
  const target = join(TARGET, `spring-${spring}`);
  const names = await readdir(join(cwd, 'src'), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.java')).map((name) => join(cwd, 'src', name));
  const wanted = await fingerprint([join(cwd, 'pom.xml'), ...sources.sort()]);
  await once(join(target, 'built-from'), wanted, async () => {
    await rm(target, { recursive: true, force: true });
    await succeed('mvn', ['-q', '-B', `-Dspring=${spring}`, 'compile'], 'Maven; on Debian: apt-get install maven', cwd);
  });
  return [join(target, 'classes'), join(target, 'lib', '*')].join(':');
}

/** Builds the Go client and returns its path. */
export async function buildGo(): Promise<string> {
  const cwd = join(HERE, 'go');
  const program = join(TARGET, 'go', 'rueidislock');
  const wanted = await fingerprint([join(cwd, 'go.mod'), join(cwd, 'main.go')]);
  await once(join(TARGET, 'go-built-from'), wanted, () =>
    succeed('go', ['build', '-o', program, '.'], 'Go; on Debian: apt-get install golang', cwd),
  );
  return program;
}

/** Returns the command of a PHP that has the libraries, which are Debian packages. */
export async function findPhp(): Promise<string> {
  const packages =
    'php-cli php-redis php-symfony-lock php-illuminate-cache php-illuminate-redis php-illuminate-container';
  const wanted = ['Symfony/Component/Lock', 'Illuminate/Cache', 'Illuminate/Redis', 'Illuminate/Container'];
  const code = wanted.map((each) => `require '${each}/autoload.php';`).join('');
  await succeed('php', ['-r', `${code} new Redis();`], `PHP; on Debian: apt-get install ${packages}`);
  return 'php';
}

/**
 * Does the job, unless the file `stamp` contains `wanted`. Test files that run at the same time wait for each other.
 */
async function once(stamp: string, wanted: string, job: () => Promise<unknown>): Promise<void> {
  const isDone = async () => (await readFile(stamp, 'utf8').catch(() => '')) === wanted;
  if (await isDone()) return;
  await mkdir(TARGET, { recursive: true });
  const turn = join(TARGET, 'installing');
  while (!(await takeTurn(turn))) await pause(LOOK_EVERY_MS);
  try {
    if (await isDone()) return;
    await job();
    await writeFile(stamp, wanted);
  } finally {
    await rm(turn, { force: true });
  }
}

/**
 * Writes our process id into a new file. Returns false if the file exists; if the process that wrote it has ended, also
 * deletes the file, for the next call.
 */
async function takeTurn(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const pid = Number(await readFile(path, 'utf8').catch(() => ''));
    if (pid > 0 && !isRunning(pid)) await rm(path, { force: true });
    return false;
  }
}

async function fingerprint(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex');
}

/**
 * Runs a program to its end. If it fails, throws with its output; if there is no such program, with what is missing.
 */
async function succeed(command: string, args: readonly string[], missing: string, cwd = HERE): Promise<void> {
  try {
    await run(command, args, { cwd, maxBuffer: 64 << 20, timeout: INSTALL_WITHIN_MS });
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = error as ExecError; // what execFile rejects with
    if (code === 'ENOENT') throw new Error(`the tests need ${missing}`);
    const output = `${stdout}${stderr}`.trim().slice(0, 1500) || message;
    throw new Error(`${command} ${args.slice(0, 4).join(' ')} failed (it needs ${missing}): ${output}`);
  }
}

type ExecError = Error & { code?: string | number; stdout?: string; stderr?: string };

/** A registry that does not answer must not block all other tests. */
const INSTALL_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;
