import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const TOKEN = 'a-token-for-this-container';
/** A container ends within this time, as the command does. */
export const END_MS = 3000;
/**
 * How long a request waits for its answer. Docker accepts connections before the program in the container listens, and
 * leaves them without an answer.
 */
export const ANSWER_MS = 2000;

/** Runs `docker` with these arguments; returns its output. */
export async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: 64e6 })).stdout.trim();
}

/** A container of a test. */
export type Container = {
  readonly id: string;
  /** The URL at which port 4680 of the container is published. */
  readonly url: string;
  /** What the container wrote to stdout and stderr so far. */
  log(): Promise<string>;
  /** Ends the container as `docker stop` does; returns its exit code and how long that took in ms. */
  end(): Promise<{ code: string; ms: number }>;
  remove(): Promise<unknown>;
};

/** Starts a container from `image` with these flags of `docker run`. */
export async function startContainer(
  image: string,
  flags: readonly string[],
  command: readonly string[],
): Promise<Container> {
  const id = await docker('run', '--detach', '--publish', '127.0.0.1::4680', ...flags, image, ...command);
  const [address = ''] = (await docker('port', id, '4680')).split('\n');
  return {
    id,
    url: `http://${address}`,
    async log() {
      const { stdout, stderr } = await run('docker', ['logs', id]);
      return stdout + stderr;
    },
    async end() {
      const began = performance.now();
      await docker('stop', id);
      const ms = performance.now() - began;
      return { code: await docker('inspect', '-f', '{{.State.ExitCode}}', id), ms };
    },
    remove: () => docker('rm', '--force', '--volumes', id),
  };
}
