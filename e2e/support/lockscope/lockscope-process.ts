import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';
import { type Lockscope, speakTo, untilObserving } from './lockscope.ts';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
/**
 * Long enough for a busy machine, also if the demo first creates a container, or a recording of a whole day is read.
 */
const READY_WITHIN_MS = 180_000;

/**
 * A Lockscope that is a process, as the command starts it: for tests of signals, exit codes, output, memory, or the
 * demo.
 */
export type LockscopeProcess = Lockscope & { readonly pid: number };

/** Starts the built command on a free port and waits until it observes. `flags` follow the URL. */
export async function startLockscopeProcess(
  redisUrl: string,
  flags: readonly string[] = ['--observe', 'monitor'],
  env: Record<string, string> = {},
): Promise<LockscopeProcess> {
  const lockscope = await launchLockscopeProcess(redisUrl, flags, env);
  await untilObserving(lockscope);
  return lockscope;
}

/**
 * Starts the command and waits only for its ready line, because Lockscope may never begin to observe. `port` 0: any
 * free port.
 */
export async function launchLockscopeProcess(
  redisUrl: string,
  flags: readonly string[],
  env: Record<string, string> = {},
  port = 0,
): Promise<LockscopeProcess> {
  if (!existsSync(MAIN)) throw new Error('Lockscope is not built: npm run build:server');
  const child = spawn(process.execPath, [MAIN, redisUrl, ...flags, '--port', String(port), '--no-open'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const url = await waitFor(
      'the ready line of Lockscope',
      () => {
        if (child.exitCode !== null) throw new Error(`Lockscope ended with code ${child.exitCode}: ${output}`);
        return /^lockscope ready (https?:\S+)$/m.exec(output)?.[1];
      },
      READY_WITHIN_MS,
    );
    const how = (): string => `exit code ${child.exitCode}, signal ${child.signalCode}, output: ${output.slice(-2000)}`;
    return Object.assign(speakTo({ url, output: () => output, how, stop: () => end(child) }), { pid: child.pid ?? 0 });
  } catch (error) {
    await end(child, 'SIGKILL');
    throw error;
  }
}
