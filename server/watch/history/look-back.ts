import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Remembered } from './remembered.ts';

/** About how many events are read at most: the newest. If there are more, the range begins later. */
const MOST_EVENTS = 200_000;

/**
 * Returns the blocks with the events since `wanted`.
 *
 * - `from`: since when these blocks have all events up to `to`. This is later than `wanted` if older events are not in
 *   memory, too many to read, or missing before a state that was set.
 * - `isFromBegin`: all blocks in memory are returned, and no state was set after `wanted`.
 */
export function lookBack(
  { blocks, oldestAt, restoredAt = [] }: Pick<Remembered, 'blocks' | 'oldestAt' | 'restoredAt'>,
  to: RedisTime,
  wanted: RedisTime,
): { newest: Remembered['blocks']; from: RedisTime; isFromBegin: boolean } {
  let first = blocks.length;
  let count = 0;
  while (first > 0 && count < MOST_EVENTS && (blocks[first - 1]?.newestAt ?? 0) >= wanted) {
    first--;
    // events after `to` are not read, so a block with only such events does not count
    const block = blocks[first];
    if (block && block.oldestAt <= to) count += block.count;
  }
  const isWhole = first > 0 && (blocks[first - 1]?.newestAt ?? 0) < wanted;
  const begin = isWhole ? wanted : first === 0 ? (oldestAt ?? to) : (blocks[first]?.oldestAt ?? to);
  const restored = restoredAt.findLast((at) => at <= to) ?? wanted;
  return {
    newest: blocks.slice(first),
    from: redisTime(Math.min(to, Math.max(wanted, begin, restored))),
    isFromBegin: first === 0 && restored <= wanted,
  };
}
