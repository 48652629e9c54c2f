import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { nameInId } from '../../shared/state/lock-state.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { lockIdsIn } from '../../shared/wire/insights/insights-about.ts';
import { PLAIN_TIMELINE, type TimelineLink } from '../url/timeline-link.ts';

/** A view begins this long before its problem: about one lease, which shows the hold. */
const BEFORE_MICROS = 30_000_000;
/** With all locks, the events of a longer time are too many to be drawn. */
const AFTER_MICROS = 30_000_000;
/** The longest view of one lock. */
const LONGEST_MICROS = 900_000_000;

/**
 * Returns the view of the timeline with all locks of a problem, and the events that show it. The cursor is at its end,
 * where the problem is certain; `now`: the shown instant.
 */
export function evidenceLink(
  insight: Pick<WireInsight, 'events' | 'from' | 'to' | 'lock' | 'source' | 'db' | 'values'>,
  now: RedisTime | null,
): TimelineLink | null {
  const seq = insight.events.at(-1);
  if (seq === undefined) return null;
  const locks = [...new Set(lockIdsIn(insight).map(nameInId))];
  const [only] = locks;
  const { from, to } = insight;
  const end = to ?? Math.max(from, now ?? from);
  const isOne = only !== undefined && locks.length === 1;
  const last = isOne
    ? Math.min(end + (end - from) / 10, from + LONGEST_MICROS)
    : Math.min((to ?? from) + AFTER_MICROS, Math.max(end, from + 1));
  const view = { from: redisTime(from - BEFORE_MICROS), to: redisTime(Math.round(last)) };
  return {
    ...PLAIN_TIMELINE,
    ...(isOne ? { lock: only } : { pinned: locks }),
    ...{ view, at: redisTime(Math.min(view.to, end)), selected: `e${seq}` },
  };
}
