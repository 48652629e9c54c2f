import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { Observatory } from '../watch/observatory.ts';

const MB = 1024 * 1024;
const LOOK_EVERY_MS = 2000;
/** The heap returns freed memory to the system some seconds later, so one high value proves little. */
const LOOKS_OVER = 3;
/** Each time, the memory shares shrink to this part. */
const SHED_TO = 0.75;
/** Once this part of the limit or less is left for them, they do not shrink further. */
const LEAST_PART = 0.1;
/**
 * How much a heap may grow before its garbage is collected, in percent of the memory in use. By default a heap in Node
 * may grow fourfold, whatever the limit of the process.
 */
const HEAP_GROWTH_PERCENT = 35;

/**
 * The memory limit of the process in bytes: `asked`, but at most 90 % of the heap's limit and of the container's limit.
 * A container also counts memory outside the heap.
 */
export function memoryLimit(asked: number): number {
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.round(Math.min(asked, 0.9 * getHeapStatistics().heap_size_limit, 0.9 * container));
}

/** Makes the heaps of all threads grow slowly. Call it before the first worker starts. */
export function keepHeapsSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

/**
 * Checks the memory of the process every 2 s. After three checks in a row above the limit, shrinks the observatory's
 * memory by a quarter, unless `relieve` can free memory another way. Once a tenth or less is left, only calls `relieve`.
 * Returns a function that stops the checks.
 */
export function watchMemory(
  observatory: Pick<Observatory, 'setMemory'>,
  limit: number,
  log: Logger,
  relieve: () => boolean = () => false,
): () => void {
  let part = 1;
  let over = 0;
  const timer = setInterval(() => {
    const used = process.memoryUsage.rss();
    over = used > limit ? over + 1 : 0;
    if (over < LOOKS_OVER) return;
    over = 0;
    if (relieve()) return log.warn(`The process uses too much memory. An opened recording was closed.`);
    if (part <= LEAST_PART) return;
    part *= SHED_TO;
    observatory.setMemory?.(part * limit);
    log.warn(
      `The process uses ${Math.round(used / MB)} MB, its limit is ${Math.round(limit / MB)} MB. Older events and free locks were dropped. --memory SIZE allows more.`,
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
