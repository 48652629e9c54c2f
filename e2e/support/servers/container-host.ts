import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, gone, type ServerHost, untilReady } from './server-process.ts';

const run = promisify(execFile);
const COMPOSE_FILE = fileURLToPath(new URL('../../compose.yaml', import.meta.url));
/** The image of the servers. */
export const IMAGE = process.env.REDIS_IMAGE || 'redis:7.0';
/** In the images of Valkey the server has another name. */
const PROGRAM = IMAGE.includes('valkey') ? 'valkey-server' : 'redis-server';
const DIR = '/tmp';
const TRIES = 5;

/**
 * Starts a container whose servers reach each other at 127.0.0.1:PORT. Its ports are published under the same numbers,
 * so the tests use the same addresses, also with Docker Desktop. `folder` is mounted at the same path.
 */
export async function openContainer(count: number, folder?: string): Promise<ServerHost> {
  for (let tries = 1; ; tries++) {
    const first = await freePort(count);
    const name = `${nameOfRun()}-${randomBytes(4).toString('hex')}`;
    const cancelRemoval = removeWithUs(name);
    const close = async () => {
      await remove(name);
      cancelRemoval();
    };
    try {
      const id = await up(name, `${first}-${first + count - 1}`, folder);
      const ports = Array.from({ length: count }, (_, index) => first + index);
      return hostIn(id, ports, folder ?? DIR, close);
    } catch (error) {
      await close();
      // Another program may have opened a port in the meantime.
      if (tries === TRIES || !/already allocated|in use|not available/i.test(String(error))) throw error;
    }
  }
}

/** Whether a socket file in a shared folder works from outside. With Docker Desktop, the engine is another machine. */
export async function canShareSockets(): Promise<boolean> {
  const { stdout } = await run('docker', ['info', '-f', '{{.OperatingSystem}}']);
  return !stdout.includes('Docker Desktop');
}

/** Pulls the image if it is missing, so that no test waits for it. Throws if there is no Docker engine. */
export async function provideImage(): Promise<void> {
  const problem = await run('docker', ['image', 'inspect', IMAGE]).then(() => undefined, complaintOf);
  if (problem === undefined) return;
  if (!/no such image/i.test(problem))
    throw new Error(`The tests need a Docker engine, or a redis-server. Start Docker. ${problem}`);
  process.stderr.write(`pulling the Docker image ${IMAGE}\n`);
  await run('docker', ['pull', '-q', IMAGE]).catch((error) => {
    throw new Error(`The tests need the Docker image ${IMAGE}. Set REDIS_IMAGE to another one. ${complaintOf(error)}`);
  });
}

function complaintOf(error: Error & { code?: unknown; stderr?: string }): string {
  return error.code === 'ENOENT' ? 'The docker command is not in PATH.' : (error.stderr ?? error.message).trim();
}

/** The prefix of the names of all containers of one test run. */
export function nameOfRun(): string {
  return `lockscope-test-${process.env.LOCKSCOPE_TEST_RUN ?? process.pid}`;
}

/** Removes all containers whose names begin with `name`. */
export async function remove(name: string): Promise<void> {
  for (let ids = await idsOf(name); ids.length > 0; ids = await idsOf(name)) {
    // Docker may already be removing one of them.
    await run('docker', ['rm', '-f', '-v', ...ids]).catch(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
}

async function idsOf(name: string): Promise<string[]> {
  const { stdout } = await run('docker', ['ps', '-aq', '--filter', `name=^/?${name}`]);
  return stdout.split('\n').filter((id) => id !== '');
}

async function up(name: string, ports: string, folder?: string): Promise<string> {
  const publish = `${ports}:${ports}`;
  const compose = folder === undefined ? await composeCommand() : undefined;
  if (compose) {
    const [program = '', ...words] = compose;
    const env = { ...process.env, REDIS_PORTS: publish, REDIS_IMAGE: IMAGE };
    await run(program, [...words, '-f', COMPOSE_FILE, '-p', name, 'up', '-d'], { env });
  } else {
    // Starts the same container without Compose: it is not installed, or one test needs a folder.
    const mount = folder === undefined ? [] : ['-v', `${folder}:${folder}`];
    await run('docker', ['run', '-d', '--name', `${name}-redis-1`, '-p', `127.0.0.1:${publish}`, ...mount, IMAGE]);
  }
  const [id] = await idsOf(name);
  if (id === undefined) throw new Error(`Docker started no container ${name}`);
  return id;
}

let found: Promise<string[] | undefined> | undefined;

/** Docker Compose, as a plugin or a program; undefined where it is not installed. */
function composeCommand(): Promise<string[] | undefined> {
  const isThere = (program: string, ...words: string[]) =>
    run(program, [...words, 'version']).then(
      () => [program, ...words],
      () => undefined,
    );
  found ??= isThere('docker', 'compose').then((plugin) => plugin ?? isThere('docker-compose'));
  return found;
}

function hostIn(id: string, ports: number[], dir: string, close: () => Promise<void>): ServerHost {
  const launch = async (args: readonly string[]) => {
    // A published port leads to the container's own address, not to its loopback.
    const settings = ['--bind', '0.0.0.0', '--protected-mode', 'no', '--dir', dir];
    const child = exec(id, 'echo "pid $$"; exec "$0" "$@"', PROGRAM, ...args, ...settings);
    const [pid, ready] = await Promise.all([pidFrom(child), untilReady(child)]);
    if (ready !== 'ready') throw new Error(`${PROGRAM} of ${IMAGE} did not start: ${ready}`);
    return { child, signal: (name: string) => gone(exec(id, `kill -${name} ${pid}`)) };
  };
  return {
    dir,
    async start(argsAt) {
      const port = ports.shift();
      if (port === undefined) throw new Error('no port of the container is free: open it with more of them');
      let server = await launch(argsAt(port));
      const crash = async () => {
        await Promise.all([server.signal('KILL'), gone(server.child)]);
      };
      return {
        port,
        crash,
        async comeBack(more = []) {
          server = await launch([...argsAt(port), ...more]);
        },
        async stop() {
          await crash();
          ports.push(port);
        },
        freeze: () => server.signal('STOP'),
        thaw: () => server.signal('CONT'),
      };
    },
    async writeFile(name, text) {
      const path = `${dir}/${name}`;
      const child = exec(id, 'cat > "$0"', path);
      child.stdin?.end(text);
      await gone(child);
      return path;
    },
    close,
  };
}

function exec(id: string, script: string, ...words: string[]): ChildProcess {
  return spawn('docker', ['exec', '-i', id, 'sh', '-c', script, ...words], { stdio: 'pipe' });
}

/** The process id that a shell printed first; `undefined` if it ended without one. */
function pidFrom(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(/^pid (\d+)/.exec(chunk.toString())?.[1]));
    child.once('exit', () => resolve(undefined));
  });
}

/**
 * Removes the container called $0 once its input ends. Compose may still be at work then and create the container late,
 * so the shell looks for it for three minutes.
 */
export const REMOVE_AT_END = `read -r _
for n in 1 2 3 4 5 6 7 8 9; do for m in 1 2 3 4 5 6 7 8 9 10; do
  ids=$(docker ps -aq --filter "name=$0")
  [ -n "$ids" ] && docker rm -f -v $ids && exit
  sleep 2
done; done`;

/** Removes a container when this process ends for any reason. Returns a function that cancels this. */
function removeWithUs(name: string): () => void {
  const guard = spawn('sh', ['-c', REMOVE_AT_END, name], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => undefined); // without a shell, `containers-of-run.ts` removes the container
  guard.unref();
  return () => {
    guard.kill('SIGKILL');
    guard.stdin.destroy();
  };
}
