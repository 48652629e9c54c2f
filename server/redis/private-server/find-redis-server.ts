import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { dockerError, docker as runDocker } from './docker-command.ts';
import { LocalRedisError } from './running-server.ts';

/** How a private Redis can be run on this machine. */
export type FoundServer =
  | {
      kind: 'command';
      name: string;
      command: string;
      /** Whether the command may not see our files, for example a wrapper around chroot. */
      hasOwnFiles: boolean;
    }
  | { kind: 'docker'; name: string; image: string };

/** This machine has neither a Redis nor a Docker engine that this user can use. */
export class NoRedisServerError extends LocalRedisError {}

type ServerEnvironment = { REDIS_SERVER?: string; REDIS_IMAGE?: string; PATH?: string };

const NOTHING_FOUND =
  'No redis-server found. Install it (Debian: apt-get install redis-server, macOS: brew install redis) or start Docker.';

/** On a busy machine an engine may take seconds to answer. */
const ANSWER_WITHIN_MS = 20_000;

/**
 * Picks the server: `REDIS_SERVER` when set (a command, or the word `docker`), else redis-server or valkey-server from
 * PATH, else a Docker engine that answers. Rejects with `LocalRedisError` if it finds none of these, or if
 * `REDIS_SERVER` cannot be used.
 */
export async function findRedisServer(env: ServerEnvironment): Promise<FoundServer> {
  const image = env.REDIS_IMAGE || 'redis:latest';
  const docker: FoundServer = { kind: 'docker', name: `Docker image ${image}`, image };
  if (env.REDIS_SERVER === 'docker') {
    const problem = await problemWithDocker();
    if (problem === undefined) return docker;
    const message = `REDIS_SERVER=docker, but Docker cannot be used. ${problem.message} Or unset REDIS_SERVER.`;
    throw new LocalRedisError(message, problem.problem);
  }
  if (env.REDIS_SERVER) {
    const command = env.REDIS_SERVER.includes('/') ? env.REDIS_SERVER : await onPath(env.REDIS_SERVER, env.PATH);
    if (command && (await canRun(command))) return { kind: 'command', name: command, command, hasOwnFiles: true };
    throw new LocalRedisError(`REDIS_SERVER=${env.REDIS_SERVER} is not a program that can be run. Give its full path.`);
  }
  for (const name of ['redis-server', 'valkey-server']) {
    const command = await onPath(name, env.PATH);
    if (command) return { kind: 'command', name, command, hasOwnFiles: false };
  }
  const problem = await problemWithDocker();
  if (problem === undefined) return docker;
  throw new NoRedisServerError(
    problem.problem.code === 'docker-refused' ? `${NOTHING_FOUND} ${problem.message}` : NOTHING_FOUND,
  );
}

async function onPath(name: string, path = ''): Promise<string | undefined> {
  for (const dir of path.split(delimiter)) {
    const file = join(dir, name);
    if (dir && (await canRun(file))) return file;
  }
  return undefined;
}

async function canRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Why this user cannot use a Docker engine; `undefined` if Docker works. */
async function problemWithDocker(): Promise<LocalRedisError | undefined> {
  return runDocker(['info', '--format', '{{.ServerVersion}}'], ANSWER_WITHIN_MS).then(
    (version) => (version === '' ? dockerError('is the docker daemon running?') : undefined),
    (error: LocalRedisError) => error,
  );
}
