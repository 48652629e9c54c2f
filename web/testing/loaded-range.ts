import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { type LockState, lockIdOf } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { LoadedRange } from '../data/window/loaded-range.ts';

/**
 * The server's answer for a part of all events: from index `first` up to, but not including, index `last`. `isOpen`:
 * the range has no end, as while live.
 */
export function rangeOf(
  all: readonly LockEvent[],
  first = 0,
  last = all.length,
  isOpen = last === all.length,
): LoadedRange {
  const locks = new Map<string, LockState>();
  for (const event of all.slice(0, first)) locks.set(lockIdOf(event), reduceLock(locks.get(lockIdOf(event)), event));
  const shown = all.slice(first, last);
  const from = shown[0]?.at ?? redisTime(0);
  return {
    from,
    to: isOpen ? null : (shown.at(-1)?.at ?? from),
    stateSeq: (shown[0]?.seq ?? 1) - 1,
    lastSeq: shown.at(-1)?.seq ?? 0,
    locks: [...locks.values()],
    blind: [],
    drops: [],
    events: shown,
  };
}
