import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** What an idle machine of two cores takes to start Node and end it again. */
const USUAL_MS = 60;

/**
 * How many times slower than usual this machine is just now, at least 1: a promise in seconds is made for a machine
 * that has time for it, and holds on a busy one in proportion.
 */
export async function cpuSlowdown(): Promise<number> {
  const began = performance.now();
  await run(process.execPath, ['-e', '0']);
  return Math.max(1, (performance.now() - began) / USUAL_MS);
}
