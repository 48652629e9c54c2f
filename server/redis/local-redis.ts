import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { openCommandConnection } from './command-connection.ts';
import { runInDocker } from './docker-redis.ts';
import { findRedisServer } from './find-redis-server.ts';
import { fieldsFromInfo } from './info-fields.ts';
import { LocalRedisError, runCommand } from './running-server.ts';

export { LocalRedisError };

/** A Redis of our own: no persistence, loopback only, gone when we are. */
export type LocalRedis = {
  /** With its password, where it has one. */
  url: string;
  port: number;
  /** Process id of the server. */
  pid: number;
  /** Its `redis_version`. */
  version: string;
  stop(): Promise<void>;
  /** Ends it at once, as a crash would; `stop` tidies up after it. */
  kill(): Promise<void>;
};

export type LocalRedisOptions = {
  /** A free one is picked when absent. */
  port?: number;
  /** Further redis-server arguments, such as `--maxmemory 50mb`. */
  args?: readonly string[];
  /** Without it every user of this machine can use the server. */
  password?: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
};

const READY_WITHIN_MS = 20_000;

/** Starts a private server and waits until it answers. Rejects with `LocalRedisError`. */
export async function startLocalRedis(options: LocalRedisOptions = {}): Promise<LocalRedis> {
  const found = await findRedisServer(process.env);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port ?? 0);
    const args = [...(options.args ?? [])];
    const server =
      found.kind === 'docker'
        ? await runInDocker(found.image, port, args)
        : await runCommand(found.command, found.hasOwnFiles, port, args, options.password);
    const onExit = () => server.killNow();
    process.once('exit', onExit);
    const stop = async () => {
      process.off('exit', onExit);
      await server.stop();
    };
    const kill = async () => {
      server.killNow();
      await server.ended;
    };
    const shownUrl = `redis://127.0.0.1:${port}`;
    const url = localUrl(port, options.password);
    const expectedPid = found.kind === 'command' && !found.hasOwnFiles ? server.pid : undefined;
    const ended = server.ended.then((reason): Answer => ({ reason }));
    const answer = await Promise.race([answerOf(found.kind === 'docker' ? shownUrl : url, expectedPid), ended]);
    if ('version' in answer) {
      if (found.kind === 'docker' && options.password !== undefined) await lock(shownUrl, options.password);
      options.logger?.info({ url: shownUrl, pid: server.pid, version: answer.version }, 'private Redis started');
      return { url, port, pid: server.pid, version: answer.version, stop, kill };
    }
    await stop();
    // Somebody else may have taken the free port in the meantime.
    if (options.port !== undefined || attempt === 3 || !/address already in use/i.test(answer.reason)) {
      throw new LocalRedisError(`The private Redis (${found.name}) did not start: ${answer.reason}`);
    }
  }
}

/** Where a server on this machine is, for clients that know its password. */
export function localUrl(port: number, password: string | undefined): string {
  return `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`;
}

/** Gives a container its password once it runs: on the command line others could read it. Who came before has to go. */
async function lock(url: string, password: string): Promise<void> {
  const connection = openCommandConnection({ url });
  try {
    await connection.whenReady(READY_WITHIN_MS);
    await connection.call('CONFIG', 'SET', 'requirepass', password);
    await connection.call('CLIENT', 'KILL', 'TYPE', 'normal');
  } finally {
    connection.close();
  }
}

type Answer = { version: string } | { reason: string };

/** Waits until a server answers and gives its version, or why it is not the one we started. */
async function answerOf(url: string, expectedPid: number | undefined): Promise<Answer> {
  const connection = openCommandConnection({ url });
  try {
    await connection.whenReady(READY_WITHIN_MS);
    const fields = fieldsFromInfo(await connection.call('INFO', 'server'));
    if (expectedPid !== undefined && fields.get('process_id') !== `${expectedPid}`) {
      return { reason: 'address already in use: another Redis answers on that port' };
    }
    return { version: fields.get('redis_version') ?? 'unknown' };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    connection.close();
  }
}

/** The loopback port asked for, or any (0), that was free a moment ago. Rejects with `LocalRedisError`. */
async function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) =>
      reject(new LocalRedisError(`Port ${wanted} of 127.0.0.1 cannot be used for the private Redis: ${error.message}`)),
    );
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || !address) throw new Error(`a TCP server listens on ${address}`);
      server.close(() => resolve(address.port));
    });
  });
}
