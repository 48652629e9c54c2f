import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { nameInId, sourceInId } from '../../../shared/state/lock-state.ts';
import { type BlindSpot, endOfSpot } from '../../data/window/blind-spots.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** A range in which some of the shown sources were not watched, or all of them. */
export type UnwatchedRange = TimeSpan & { readonly areAll: boolean };

/**
 * The sources that a timeline shows: the sources of its only lock, or all. A source without locks counts: it may have
 * no locks because it was not watched.
 */
export function shownSources(
  { order, onlyLock }: { readonly order: readonly string[]; readonly onlyLock: string },
  all: readonly { readonly id: string }[],
): ReadonlySet<string> {
  const ids = onlyLock === '' ? [] : order.filter((id) => nameInId(id) === onlyLock);
  return new Set(ids.length > 0 ? ids.map(sourceInId) : all.map(({ id }) => id));
}

/**
 * The ranges in which not all of these sources were watched, in order. `now` and `viewTo` as in `endOfSpot`.
 *
 *   blind spots of a   ├──────────┤
 *   blind spots of b         ├──────────┤
 *   ranges             │some │ all│some │
 */
export function unwatchedRanges(
  spots: readonly BlindSpot[],
  sources: ReadonlySet<string>,
  { now, viewTo }: { readonly now: RedisTime; readonly viewTo: RedisTime },
): UnwatchedRange[] {
  const edges = spots
    .filter(({ source }) => sources.has(source))
    .flatMap((spot) => {
      const to = redisTime(Math.max(spot.from, endOfSpot(spot, now, viewTo)));
      return [
        { at: spot.from, source: spot.source, step: 1 },
        { at: to, source: spot.source, step: -1 },
      ];
    })
    .sort((a, b) => a.at - b.at);
  const ranges: UnwatchedRange[] = [];
  const open = new Map<string, number>();
  let from = redisTime(0);
  for (const { at, source, step } of edges) {
    const areAll = open.size === sources.size;
    if (open.size > 0 && at > from) {
      const last = ranges.at(-1);
      if (last?.to === from && last.areAll === areAll) ranges[ranges.length - 1] = { ...last, to: at };
      else ranges.push({ from, to: at, areAll });
    }
    from = at;
    const count = (open.get(source) ?? 0) + step;
    if (count === 0) open.delete(source);
    else open.set(source, count);
  }
  return ranges;
}
