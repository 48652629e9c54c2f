import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** How long an idle machine with two cores takes to start and end Node. */
const USUAL_MS = 60;

/**
 * Returns how many times slower than usual this machine is right now, at least 1. Time limits are for an idle machine,
 * and are multiplied by it.
 */
export async function cpuSlowdown(): Promise<number> {
  const began = performance.now();
  await run(process.execPath, ['-e', '0']);
  return Math.max(1, (performance.now() - began) / USUAL_MS);
}
