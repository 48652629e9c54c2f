import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Words } from '../words/words.ts';

/** The permits or the count of a semaphore or latch, as a short text; undefined for other kinds, or if unknown. */
export function counterText({ permits, latch }: Pick<Lock, 'permits' | 'latch'>, words: Words['counters']) {
  if (latch) return words.left(latch.count);
  if (!permits) return undefined;
  const { available, total } = permits;
  return total === null ? words.free(available) : words.out(Math.max(0, total - available), total);
}
