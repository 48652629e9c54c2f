import type { RedisTime } from '../../../shared/base/time.ts';
import type { TimelineHistory } from '../history/history.ts';
import { droppedOf, isStretchInView } from '../model/drops.ts';
import { endOf } from '../model/marks.ts';
import { firstFrom } from '../model/search.ts';
import { firstThatReaches } from './layout-lane.ts';
import type { Span } from './scale.ts';

/** Whether a view shows anything of a lock: an event, a drop, or a hold or wait that spans the view. */
export function isInView(history: TimelineHistory, id: string, view: Span, now: RedisTime): boolean {
  const events = history.eventsOf(id);
  const next = events[firstFrom(events, view.from, (event) => event.at)];
  if (next && next.at <= view.to) return true;
  if (droppedOf(history, id).some((stretch) => isStretchInView(stretch, view, now))) return true;
  return (history.track(id, Date.now())?.lanes ?? []).some(({ spans }) => {
    for (let i = firstThatReaches(spans, view.from); i < spans.length; i++) {
      const span = spans[i];
      if (!span || span.from > view.to) return false;
      if (endOf(span, now) >= view.from) return true;
    }
    return false;
  });
}
