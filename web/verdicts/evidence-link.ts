import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { nameInId } from '../../shared/state/lock-state.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { lockIdsIn } from '../../shared/wire/insights/insights-about.ts';
import { PLAIN_TIMELINE, type TimelineLink } from '../url/timeline-link.ts';

/** A view begins this long before its problem. That is one lease of the watchdog, so the view shows the hold. */
const BEFORE_MICROS = 30_000_000;
/**
 * A view of several locks ends at most this long after its problem ended, or after it began while it is open. The
 * events of a longer time are too many to draw.
 */
const AFTER_MICROS = 30_000_000;
/** The longest view of one lock. */
const LONGEST_MICROS = 900_000_000;

/**
 * Returns a link to the timeline with all locks of a problem; null if the problem has no events. The newest of its
 * events is selected. The cursor is where the problem ended, or at `now`, the shown instant, while it is open; never
 * after the end of the view.
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
