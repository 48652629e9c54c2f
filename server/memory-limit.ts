import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { Observatory } from './watch/observatory.ts';

const MB = 1024 * 1024;
const LOOK_EVERY_MS = 2000;
/** Collected garbage returns to the system some seconds later, so that one look says little. */
const LOOKS_OVER = 3;
const SHED_TO = 0.75;
const LEAST_PART = 0.1;
/**
 * How much garbage a heap may gather before it is collected, in percent of what is in use. Node's own rule lets a heap
 * grow up to fourfold, whatever the process may take.
 */
const HEAP_GROWTH_PERCENT = 35;

/**
 * What the process keeps to: `asked`, or less where the heap or a container has less. Memory outside the heap counts in
 * a container, so a tenth of that stays free.
 */
export function memoryLimit(asked: number): number {
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.round(Math.min(asked, 0.9 * getHeapStatistics().heap_size_limit, 0.9 * container));
}

/** Makes the heaps of all threads grow slowly. To be called before the first worker starts. */
export function keepHeapsSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/**
 * Looks every two seconds whether the process takes more than its limit. If it does so three times in a row, all rooms
 * are made smaller by a quarter. Returns how to stop.
 */
export function watchMemory(observatory: Pick<Observatory, 'setMemory'>, limit: number, log: Logger): () => void {
  let part = 1;
  let over = 0;
  const timer = setInterval(() => {
    const used = process.memoryUsage.rss();
    over = used > limit ? over + 1 : 0;
    if (over < LOOKS_OVER || part <= LEAST_PART) return;
    over = 0;
    part *= SHED_TO;
    observatory.setMemory?.(part * limit);
    log.warn(
      `The process takes ${Math.round(used / MB)} MB, its limit is ${Math.round(limit / MB)} MB: older events and free locks were dropped. --memory SIZE allows more.`,
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
