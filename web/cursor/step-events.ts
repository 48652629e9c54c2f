import type { RedisTime } from '../../shared/base/time.ts';

/**
 * The instant of the event some steps after the cursor, before it with negative steps; at most to the last one there
 * is. Events of the same instant are one step, since the cursor cannot stand between them. Null: there is none.
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

/** How many events of a list lie at or before an instant; the list goes by `seq`, so inferred ones may stand early. */
export function countUntil(events: readonly { readonly at: RedisTime }[], instant: RedisTime): number {
  let count = events.length;
  while (count > 0 && (events[count - 1]?.at ?? 0) > instant) count--;
  return count;
}
