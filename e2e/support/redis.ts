import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from 'redis';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);
const COMPOSE_FILE = fileURLToPath(new URL('../compose.yaml', import.meta.url));

/** A private Redis of a test. */
export type RunningRedis = {
  port: number;
  url: string;
  /** Runs one command on a connection of its own kept for this. */
  command(...words: string[]): Promise<unknown>;
  /** Calls so far of each command, scripts' inner commands included. */
  commandCalls(): Promise<Map<string, number>>;
  /** The server process; undefined with Docker. */
  pid: number | undefined;
  /** Ends the server at once, as a crash would. */
  crash(): Promise<void>;
  /** Starts it again after a crash: the same port, the same settings, no data. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a private Redis on a free loopback port: the program `REDIS_SERVER` names, else `redis-server` on PATH;
 * with `REDIS_SERVER=docker` a container of `REDIS_IMAGE`. `settings` are set with CONFIG SET before it is handed over.
 */
export async function startRedis(settings: Record<string, string> = {}): Promise<RunningRedis> {
  const program = process.env.REDIS_SERVER || 'redis-server';
  const server = program === 'docker' ? await startContainer() : await startProcess(program);
  try {
    const ready = async () => {
      const client = await connect(server.port);
      for (const [name, value] of Object.entries(settings)) await client.sendCommand(['CONFIG', 'SET', name, value]);
      return client;
    };
    let client = await ready();
    const command = async (...words: string[]): Promise<unknown> => client.sendCommand(words);
    return {
      port: server.port,
      url: `redis://127.0.0.1:${server.port}`,
      get pid() {
        return server.pid();
      },
      command,
      commandCalls: async () => parseCommandStats(String(await command('INFO', 'commandstats'))),
      crash: async () => {
        client.destroy();
        await server.crash();
      },
      comeBack: async () => {
        await server.comeBack();
        client = await ready();
      },
      stop: async () => {
        if (client.isOpen) client.destroy();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Server = {
  port: number;
  pid(): number | undefined;
  crash(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
};

async function startProcess(program: string): Promise<Server> {
  for (let tries = 0; ; tries++) {
    const port = await freePort();
    let child = launch(program, port);
    const ready = await untilReady(child);
    if (ready === 'ready') {
      return {
        port,
        pid: () => child.pid,
        crash: () => end(child, 'SIGKILL'),
        comeBack: async () => {
          child = launch(program, port);
          const again = await untilReady(child);
          if (again !== 'ready') throw new Error(`${program} did not come back: ${again}`);
        },
        stop: () => end(child),
      };
    }
    // Somebody else took the port between asking for a free one and using it.
    if (!/in use/i.test(ready) || tries === 5) throw new Error(`${program} did not start: ${ready}`);
  }
}

function launch(program: string, port: number): ChildProcess {
  const nothingKept = ['--save', '', '--appendonly', 'no', '--rdb-del-sync-files', 'yes'];
  return spawn(program, ['--port', String(port), '--bind', '127.0.0.1', ...nothingKept], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
  });
}

/** Settles with `ready`, or with why a server did not start. */
export function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000);
      if (/ready to accept connections|Sentinel ID is/i.test(output)) resolve('ready');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(`exit code ${code}: ${output.trim().split('\n').slice(-3).join(' / ')}`));
  });
}

/** Ends a child and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** Below the ports that systems give out by themselves, so that nobody is given one while its server is away. */
const PORTS = { first: 12_000, count: 16_000 };

/** A port that was free a moment ago, and that only somebody who asks for it by number takes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function startContainer(): Promise<Server> {
  const project = `lockscope-${randomBytes(4).toString('hex')}`;
  const port = await freePort();
  const compose = await composeCommand();
  const ask = async (...words: string[]): Promise<string> => {
    const [program = '', ...first] = compose;
    const env = { ...process.env, REDIS_PORT: String(port) };
    const { stdout } = await run(program, [...first, '-f', COMPOSE_FILE, '-p', project, ...words], { env });
    return stdout.trim();
  };
  const stop = async (): Promise<void> => {
    await ask('down', '-v', '-t', '1');
  };
  try {
    await ask('up', '-d');
    return {
      port,
      pid: () => undefined,
      crash: async () => void (await ask('kill', 'redis')),
      comeBack: async () => void (await ask('start', 'redis')),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function composeCommand(): Promise<string[]> {
  const hasPlugin = await run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
  return hasPlugin ? ['docker', 'compose'] : ['docker-compose'];
}

async function connect(port: number) {
  return waitFor(`Redis on port ${port} to answer`, async (missing) => {
    const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
    client.on('error', (error: unknown) => missing(String(error)));
    try {
      await client.connect();
      await client.ping();
      return client;
    } catch (error) {
      client.destroy();
      return missing(String(error));
    }
  });
}

function parseCommandStats(info: string): Map<string, number> {
  const calls = new Map<string, number>();
  for (const [, name, count] of info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) calls.set(name!, Number(count));
  return calls;
}
