import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainer } from './container-host.ts';
import { end, freePort, type ServerHost, untilReady } from './server-process.ts';

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

/**
 * The program of the servers, or `docker`: `REDIS_SERVER` if set, otherwise redis-server if installed, otherwise
 * Docker.
 */
export const SERVER = process.env.REDIS_SERVER || (isInstalled('redis-server') ? 'redis-server' : 'docker');

/** More ports than any test uses at once on the shared host. */
const SHARED_PORTS = 10;

/** Opens a host for up to `count` servers, which are stopped together. */
export async function openHost(count: number): Promise<ServerHost> {
  if (SERVER === 'docker') return openContainer(count);
  return openThisMachine(await mkdtemp(join(tmpdir(), 'lockscope-group-')));
}

let shared: Promise<ServerHost> | undefined;

/**
 * The host for the servers of all tests of this process. It is kept until the process ends, because containers start
 * slowly.
 */
export function sharedHost(): Promise<ServerHost> {
  shared ??= SERVER === 'docker' ? openContainer(SHARED_PORTS) : Promise.resolve(openThisMachine());
  return shared;
}

function openThisMachine(ownDir?: string): ServerHost {
  const dir = ownDir ?? tmpdir();
  const running = new Set<ChildProcess>();
  const launch = async (args: readonly string[]): Promise<ChildProcess> => {
    const words = [...args, '--bind', '127.0.0.1', '--dir', dir];
    const child = spawn(SERVER, words, { stdio: ['ignore', 'pipe', 'pipe'], cwd: dir });
    const ready = await untilReady(child);
    if (ready !== 'ready') throw new Error(`${SERVER} did not start: ${ready}`);
    running.add(child);
    return child;
  };
  const launchAnywhere = async (argsAt: (port: number) => readonly string[]) => {
    for (let tries = 0; ; tries++) {
      const port = await freePort();
      try {
        return { port, child: await launch(argsAt(port)) };
      } catch (error) {
        if (tries === 5 || !/in use/i.test(String(error))) throw error; // another program opened the port meanwhile
      }
    }
  };
  return {
    dir,
    async start(argsAt) {
      let { port, child } = await launchAnywhere(argsAt);
      const crash = async () => {
        await end(child, 'SIGKILL');
        running.delete(child);
      };
      return {
        port,
        crash,
        stop: crash,
        async comeBack(more = []) {
          child = await launch([...argsAt(port), ...more]);
        },
        freeze: async () => void child.kill('SIGSTOP'),
        thaw: async () => void child.kill('SIGCONT'),
      };
    },
    async writeFile(name, text) {
      const path = join(dir, name);
      await writeFile(path, text);
      return path;
    },
    async close() {
      await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
      if (ownDir !== undefined) await rm(ownDir, { recursive: true, force: true });
    },
  };
}
