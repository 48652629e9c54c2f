import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
const READY_WITHIN_MS = 90_000;

/** `lockscope observe`, in a process of its own. */
type ObserverProcess = { stop(): Promise<void>; kill(): Promise<void> };

/** Starts an observer of a Redis, and waits until it watches. `name`: the name of the source on the bus. */
export async function startObserver(redisUrl: string, bus: string, name: string): Promise<ObserverProcess> {
  const words = ['observe', redisUrl, '--observe', 'monitor', '--bus', bus, '--as', name];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(
    'an observer to watch',
    () => {
      if (child.exitCode !== null) throw new Error(`the observer ended with code ${child.exitCode}: ${output}`);
      return output.includes('observing at level monitor');
    },
    READY_WITHIN_MS,
  );
  return { stop: () => end(child), kill: () => end(child, 'SIGKILL') };
}
