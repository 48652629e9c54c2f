import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pause } from './wait-for.ts';

const run = promisify(execFile);
/** How long an idle machine with two cores takes to start and end Node. */
const USUAL_MS = 60;
/** Between two measurements, which take time themselves. */
const PAUSE_MS = 200;

/**
 * Returns how many times slower than usual this machine is right now, at least 1. Time limits are for an idle machine,
 * and are multiplied by it.
 */
export async function cpuSlowdown(): Promise<number> {
  const began = performance.now();
  await run(process.execPath, ['-e', '0']);
  return Math.max(1, (performance.now() - began) / USUAL_MS);
}

/** Measures the slowdown again and again; returns the function that ends this and returns the greatest. */
export function followSlowdown(): () => Promise<number> {
  let isOver = false;
  const greatest = (async () => {
    let most = 1;
    for (; !isOver; await pause(PAUSE_MS)) most = Math.max(most, await cpuSlowdown());
    return Math.max(most, await cpuSlowdown());
  })();
  return () => {
    isOver = true;
    return greatest;
  };
}
