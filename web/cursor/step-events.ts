import type { RedisTime } from '../../shared/base/time.ts';

/**
 * Returns the instant of the event `steps` after the cursor, or before it if `steps` is negative. Stops at the end of the
 * list. Events of the same instant are one step. Returns null if there is no event on that side.
 *
 *   events   |    ||   |        steps −1, +1, +2
 *   cursor        ▲
 */
export function instantAfterSteps(
  events: readonly { readonly at: RedisTime }[],
  cursor: RedisTime,
  steps: number,
): RedisTime | null {
  const instants = [...new Set(events.map(({ at }) => at))].sort((a, b) => a - b);
  const side = steps > 0 ? instants.filter((at) => at > cursor) : instants.filter((at) => at < cursor).reverse();
  return side[Math.min(Math.abs(steps), side.length) - 1] ?? null;
}

/**
 * Counts the events of a list up to the last event at or before an instant. The list is sorted by `seq`, so later events
 * may be among them.
 */
export function countUntil(events: readonly { readonly at: RedisTime }[], instant: RedisTime): number {
  let count = events.length;
  while (count > 0 && (events[count - 1]?.at ?? 0) > instant) count--;
  return count;
}
