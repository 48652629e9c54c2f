import { firstFrom } from '../../../shared/base/search.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LiveState } from '../live/live-state.ts';

/**
 * Every event that a filter matches after the event `afterSeq` and up to `lastSeq`, oldest first. Only the inner events
 * of dense runs are left out.
 */
export type EventRange = {
  readonly afterSeq: number;
  readonly lastSeq: number;
  readonly events: readonly LockEvent[];
};

function seqOf({ seq }: LockEvent): number {
  return seq;
}

/** The newest live events without a gap before them. With `isWanted`, only those for which it returns true. */
export function liveRange(
  { events, wholeFrom, seq }: Pick<LiveState, 'events' | 'wholeFrom' | 'seq'>,
  isWanted?: (event: LockEvent) => boolean,
): EventRange {
  const last = events.at(-1);
  if (!last) return { afterSeq: seq, lastSeq: seq, events: [] };
  const whole = events.slice(firstFrom(events, wholeFrom, seqOf));
  return { afterSeq: wholeFrom - 1, lastSeq: last.seq, events: isWanted ? whole.filter(isWanted) : whole };
}

/**
 * Joins two ranges; null if events between them are missing. Where they overlap, the events of the later range apply.
 *
 *   earlier   |·············|
 *   later            |··········►        joined, or null for   |·······|  hole  |·····►
 */
export function joinedRanges(earlier: EventRange, later: EventRange): EventRange | null {
  if (later.afterSeq > earlier.lastSeq) return null;
  const before = earlier.events.slice(0, firstFrom(earlier.events, later.afterSeq + 1, seqOf));
  const after = earlier.events.slice(firstFrom(earlier.events, later.lastSeq + 1, seqOf));
  return {
    afterSeq: Math.min(earlier.afterSeq, later.afterSeq),
    lastSeq: Math.max(earlier.lastSeq, later.lastSeq),
    events: [...before, ...later.events, ...after],
  };
}
