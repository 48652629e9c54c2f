import type { Logger } from 'pino';
import { ConnectionLost, openCommandConnection } from '../connection/command-connection.ts';
import { fieldsFromInfo } from '../connection/info-fields.ts';
import { provideImage } from './docker-command.ts';
import { openDockerRoom } from './docker-room.ts';
import { type FoundServer, findRedisServer } from './find-redis-server.ts';
import { freePorts, requireFree } from './free-ports.ts';
import { LocalRedisError, runCommand, type ServerPlace } from './running-server.ts';

export { LocalRedisError };

/** A private Redis: no persistence, loopback only. It ends when this process does. */
export type LocalRedis = {
  /** Includes the password, if the server has one. */
  url: string;
  port: number;
  /** Process id of the server. */
  pid: number;
  /** Its `redis_version`. */
  version: string;
  /** Settles with the reason when the server has ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
  /** Ends the server at once, as a crash would; `stop` removes its files. */
  kill(): Promise<void>;
};

export type LocalRedisOptions = {
  /** Absent: a free port is picked. */
  port?: number;
  /** Further redis-server arguments, such as `--maxmemory 50mb`. */
  args?: readonly string[];
  /** Absent: every user of this machine can use the server. */
  password?: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
};

/** The step that the start of private servers waits for. */
export type StartStep =
  | { what: 'image'; image: string; done: number; of: number }
  | { what: 'servers'; done: number; of: number };

/** Long enough for a very busy machine. A server that ends is noticed at once. */
const READY_WITHIN_MS = 60_000;
const TRIES = 3;

/** Starts a private server and waits until it answers. Rejects with `LocalRedisError`. */
export async function startLocalRedis(options: LocalRedisOptions = {}): Promise<LocalRedis> {
  const [redis] = await startLocalServers(1, options);
  if (!redis) throw new Error('one server was asked for');
  return redis;
}

/**
 * Starts private servers that reach each other at their `port` of 127.0.0.1, as we do. Rejects with `LocalRedisError`.
 */
export async function startLocalServers(
  count: number,
  options: LocalRedisOptions,
  onStep: (step: StartStep) => void = () => undefined,
): Promise<LocalRedis[]> {
  const found = await findRedisServer(process.env);
  onStep({ what: 'servers', done: 0, of: count });
  const place = await openPlace(found, count, options, onStep);
  let [ready, open] = [0, count];
  const startOne = async () => {
    const redis = await startIn(place, found, options);
    onStep({ what: 'servers', done: ++ready, of: count });
    const stop = async () => {
      await redis.stop();
      if (--open === 0) await place.close();
    };
    let stopped: Promise<void> | undefined;
    return { ...redis, stop: () => (stopped ??= stop()) };
  };
  const started = await Promise.allSettled(Array.from({ length: count }, startOne));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  if (!failed) return servers;
  await Promise.all(servers.map(({ stop }) => stop()));
  await place.close();
  throw failed.reason;
}

/** Opens the place where the servers run: this machine, or one container for all of them. */
async function openPlace(
  found: FoundServer,
  count: number,
  options: LocalRedisOptions,
  onStep: (step: StartStep) => void,
): Promise<ServerPlace> {
  const wanted = options.port;
  if (found.kind === 'command')
    return {
      takePort: async () => (wanted === undefined ? ((await freePorts(1))[0] ?? 0) : requireFree(wanted)),
      run: (port, args, password) => runCommand(found.command, found.hasOwnFiles, port, args, password),
      close: async () => undefined,
    };
  const { image } = found;
  await provideImage(image, () => {
    options.logger?.info({ image }, 'pulling the Docker image of the private Redis');
    onStep({ what: 'image', image, done: 0, of: 1 });
  });
  onStep({ what: 'servers', done: 0, of: count });
  options.logger?.info({ image }, 'starting a container for the private Redis');
  for (let attempt = 1; ; attempt++) {
    const ports = wanted === undefined ? await freePorts(count) : [await requireFree(wanted)];
    try {
      return await openDockerRoom(image, ports);
    } catch (error) {
      const isTaken = error instanceof LocalRedisError && error.problem.code === 'port-taken';
      if (!isTaken || wanted !== undefined || attempt === TRIES) throw error;
    }
  }
}

async function startIn(place: ServerPlace, found: FoundServer, options: LocalRedisOptions): Promise<LocalRedis> {
  for (let attempt = 1; ; attempt++) {
    const port = await place.takePort();
    const server = await place.run(port, options.args ?? [], options.password);
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
    const url = localUrl(port, options.password);
    const expectedPid = found.kind === 'command' && !found.hasOwnFiles ? server.pid : undefined;
    const failed = server.ended.then((reason): Answer => ({ reason }));
    const answer = await Promise.race([answerOf(url, expectedPid), failed]);
    if ('version' in answer) {
      const { pid, ended } = server;
      options.logger?.info({ url: localUrl(port, undefined), pid, version: answer.version }, 'private Redis started');
      return { url, port, pid, version: answer.version, ended, stop, kill };
    }
    await stop();
    // Another program may have taken the free port in the meantime.
    const canTryAgain = found.kind === 'command' && options.port === undefined && attempt < TRIES;
    if (!canTryAgain || !/address already in use/i.test(answer.reason))
      throw new LocalRedisError(`The private Redis (${found.name}) did not start: ${answer.reason}`);
  }
}

/** The URL of a server on this machine, with its password. */
export function localUrl(port: number, password: string | undefined): string {
  return `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`;
}

type Answer = { version: string } | { reason: string };

/** Waits until a server answers and returns its version, or why it did not answer or is not the one we started. */
async function answerOf(url: string, expectedPid: number | undefined): Promise<Answer> {
  const connection = openCommandConnection({ url });
  const end = Date.now() + READY_WITHIN_MS;
  try {
    for (;;) {
      const info = await connection
        .whenReady(end - Date.now())
        .then(() => connection.call('INFO', 'server'))
        .catch(unlessLost);
      // Docker accepts connections to a published port before the server listens, and ends them again.
      if (info instanceof ConnectionLost && Date.now() < end) continue;
      if (info instanceof ConnectionLost) return { reason: info.message };
      const fields = fieldsFromInfo(info);
      if (expectedPid !== undefined && fields.get('process_id') !== `${expectedPid}`)
        return { reason: 'address already in use: another Redis answers on that port' };
      return { version: fields.get('redis_version') ?? 'unknown' };
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    connection.close();
  }
}

function unlessLost(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  throw error;
}
