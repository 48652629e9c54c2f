import type { RedisTime } from '../../../shared/base/time.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { endOf, type SpanMark, type Track } from './marks.ts';

/**
 * What one holder did at one lock in a range: holds and waits that touch it, and their time inside it. Time in which a
 * thread only thinks that it holds the lock is not a hold: Redis has the lock free, or another thread has it.
 */
export type HolderTotal = {
  readonly lockId: string;
  readonly holder: string;
  readonly holds: number;
  readonly heldMicros: number;
  readonly waits: number;
  readonly waitedMicros: number;
};

/**
 * The totals of each holder at each lock in a range, the longest time held first.
 *
 *   range          |····················|
 *   A        ██████████   ██                 2 holds, their part inside the range
 *   B           ▨▨▨▨▨▨▨▨▨▨                   1 wait
 */
export function totalsIn(tracks: readonly Track[], range: TimeSpan, now: RedisTime): HolderTotal[] {
  const totals: HolderTotal[] = [];
  for (const { id, lanes } of tracks) {
    for (const { holder, spans } of lanes) {
      const total = { lockId: id, holder, holds: 0, heldMicros: 0, waits: 0, waitedMicros: 0 };
      for (const span of spans) {
        if (span.from > range.to) break;
        const end = endOf(span, now);
        if (end < range.from || isBelief(span)) continue;
        const inside = Math.max(0, Math.min(end, range.to) - Math.max(span.from, range.from));
        if (span.kind === 'hold') {
          total.holds++;
          total.heldMicros += inside;
        } else {
          total.waits++;
          total.waitedMicros += inside;
        }
      }
      if (total.holds + total.waits > 0) totals.push(total);
    }
  }
  return totals.sort((a, b) => b.heldMicros - a.heldMicros || b.waitedMicros - a.waitedMicros);
}

function isBelief(span: SpanMark): boolean {
  return span.kind === 'hold' && span.belief !== undefined;
}

/** The share of a range, up to now, in which a lock was held by any thread, from 0 to 1. */
export function shareHeld({ lanes }: Track, range: TimeSpan, now: RedisTime): number {
  const holds = lanes
    .flatMap(({ spans }) => spans.filter((span) => span.kind === 'hold' && !isBelief(span) && span.from < range.to))
    .sort((a, b) => a.from - b.from);
  let held = 0;
  let until: number = range.from;
  for (const hold of holds) {
    const end = Math.min(endOf(hold, now), range.to);
    held += Math.max(0, end - Math.max(until, hold.from));
    until = Math.max(until, end);
  }
  return held / Math.max(1, Math.min(range.to, now) - range.from);
}

/** A share of 0 to 1 in percent, rounded. Only a share of 0 is 0 %, and only a share of 1 is 100 %. */
export function percentOf(share: number): number {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return 1;
  return percent === 100 && share < 1 ? 99 : percent;
}

/** Whether one of the given sources was not watched in a part of a range. */
export function hasBlindSpot(
  spots: readonly Pick<BlindSpot, 'source' | 'from' | 'to'>[],
  range: TimeSpan,
  sources: ReadonlySet<string>,
): boolean {
  return spots.some(
    ({ source, from, to }) => sources.has(source) && from < range.to && (to === null || to > range.from),
  );
}
