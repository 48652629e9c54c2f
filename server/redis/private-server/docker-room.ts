import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { inTime } from '../connection/in-time.ts';
import { dockerError } from './docker-command.ts';
import { LocalRedisError, type RunningServer, type ServerPlace, spawnServer } from './running-server.ts';

/**
 * Starts one container for several servers. They share its network, and its ports are published under the same numbers:
 *
 *   we ── 127.0.0.1:12001 ──► container ┌ server on 12001 ◄─ 127.0.0.1:12001 ─┐
 *                                       └ server on 12002 ────────────────────┘
 *
 * So 127.0.0.1:PORT is the same server for us, for its clients and for its replicas, also with Docker Desktop.
 * The container runs a shell that reads our commands. When this process ends, in whatever way, the shell's input ends.
 * Then the shell ends, and so does the container.
 */
export async function openDockerRoom(image: string, ports: readonly number[]): Promise<ServerPlace> {
  const room = await startRoom(image, ports);
  const free = [...ports];
  return {
    async takePort() {
      const port = free.shift();
      if (port === undefined) throw new Error(`the container has ${ports.length} ports, and all are taken`);
      return port;
    },
    run: (port, args, password) => runInRoom(room, serverOf(image), port, args, password),
    async close() {
      room.shell.stdin.end();
      await inTime(CLOSED_WITHIN_MS, room.ended);
    },
  };
}

/** Some engines copy the whole image for each container, which takes a minute on a busy machine. */
const OPEN_WITHIN_MS = 180_000;
/** Docker removes the container by itself; we do not wait for a slow disk. */
const CLOSED_WITHIN_MS = 1500;
/** The shell prints its process id before it becomes the server. */
const RUN = 'echo "pid $$"; exec "$0" "$@"';

type Room = { name: string; shell: ChildProcessWithoutNullStreams; ended: Promise<string> };

async function startRoom(image: string, ports: readonly number[]): Promise<Room> {
  const name = `lockscope-${randomBytes(6).toString('hex')}`;
  const publish = ports.flatMap((port) => ['-p', `127.0.0.1:${port}:${port}`]);
  const words = ['run', '-i', '--rm', '--name', name, ...publish, image, 'sh'];
  const shell = spawn('docker', words, { stdio: 'pipe', detached: true });
  shell.stdin.on('error', () => undefined); // the container has ended: every server in it reports its own end
  const ended = untilEnded(shell);
  shell.stdin.write('echo open\n');
  const answer = await inTime(OPEN_WITHIN_MS, Promise.race([quote(shell, /^open$/m), ended]));
  if (answer === 'open') return { name, shell, ended };
  shell.stdin.end();
  if (answer !== undefined) throw dockerError(answer);
  const late = `Docker did not start a container within ${OPEN_WITHIN_MS / 1000} s. Restart Docker, then try again.`;
  throw new LocalRedisError(late, problem('docker-silent'));
}

async function runInRoom(
  { name, shell, ended: roomEnded }: Room,
  server: string,
  port: number,
  args: readonly string[],
  password: string | undefined,
): Promise<RunningServer> {
  const words = ['exec', '-i', name, 'sh', '-c', RUN, server];
  // A published port leads to the container's own address, not to its loopback.
  const settings = ['--protected-mode', 'no', ...args];
  const { child, ended } = spawnServer('docker', words, { port, bind: '0.0.0.0', dir: '/tmp' }, settings, password);
  const answer = await Promise.race([quote(child, /^pid (\d+)$/m), ended]);
  const pid = Number(answer);
  if (Number.isNaN(pid)) throw dockerError(answer);
  const killNow = () => void shell.stdin.write(`kill -9 ${pid}\n`);
  return {
    pid,
    ended,
    killNow,
    async stop() {
      killNow();
      await Promise.race([ended, roomEnded]);
    },
  };
}

/** In images of Valkey, the server has another name. */
function serverOf(image: string): string {
  return image.includes('valkey') ? 'valkey-server' : 'redis-server';
}

/** Settles when the container has ended: with Docker's error message, or else with its exit code. */
function untilEnded(shell: ChildProcessWithoutNullStreams): Promise<string> {
  let complaint = '';
  shell.stderr.on('data', (text: Buffer) => {
    complaint = (complaint + text).slice(-2000);
  });
  return new Promise((resolve) => {
    shell.once('error', (error) => resolve(error.message));
    shell.once('close', (code) => resolve(complaint || `its container ended with code ${code}`));
  });
}

/** Settles once the program has printed a match of the pattern: with its first group, or else with the match. */
function quote({ stdout }: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text = (text + chunk).slice(-2000);
      const match = pattern.exec(text);
      if (!match) return;
      stdout.off('data', read);
      stdout.resume(); // further output is not needed, and must not fill the pipe
      resolve(match[1] ?? match[0]);
    };
    stdout.on('data', read);
  });
}
