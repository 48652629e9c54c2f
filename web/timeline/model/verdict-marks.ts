import type { RedisTime } from '../../../shared/base/time.ts';
import { isInsight, type LockEvent } from '../../../shared/events/event.ts';
import type { InsightDetail } from '../../../shared/events/types/insight-event.ts';
import { secondsText } from '../../ui/time-text.ts';
import type { Words } from '../../words/words.ts';

/** A problem of a lock, from the report that it began to the report that it ended. */
export type VerdictMark = {
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  readonly incident: string;
  readonly severity: 'critical' | 'warning';
  /** `seq` of the event that reported its beginning. */
  readonly seq: number;
  readonly from: RedisTime;
  /** When its end was reported. Null: its end was not reported. It lasts, or it was over at once. */
  readonly to: RedisTime | null;
  /** At `to` it could no longer be known whether it lasted. */
  readonly isUnknown: boolean;
};

/**
 * The problems whose beginning is among these events, in order of `seq`. Hints are left out: the list of events has
 * them.
 */
export function verdictMarksFrom(events: readonly LockEvent[]): VerdictMark[] {
  const marks: VerdictMark[] = [];
  const open = new Map<string, number>();
  for (const event of events) {
    if (!isInsight(event)) continue;
    if (event.type === 'insight.opened') open.set(event.insight, keep(marks, event, open.get(event.insight)));
    else {
      const index = open.get(event.insight);
      const mark = index === undefined ? undefined : marks[index];
      if (index === undefined || !mark) continue;
      marks[index] = { ...mark, to: event.at, isUnknown: event.isUnknown === true };
      open.delete(event.insight);
    }
  }
  return marks;
}

/** Adds a problem, or changes the severity of the open problem. Returns its index, or `index` for a hint. */
function keep(marks: VerdictMark[], event: LockEvent & InsightDetail, index = -1): number {
  const { insight, incident, severity, seq, at } = event;
  if (severity === 'hint') return index;
  const before = marks[index];
  if (before) {
    marks[index] = { ...before, severity };
    return index;
  }
  return marks.push({ insight, incident, severity, seq, from: at, to: null, isUnknown: false }) - 1;
}

/** When a problem was reported, and when its end was. */
export function verdictTimes({ from, to, isUnknown }: VerdictMark, { timeline: { problem } }: Words): string {
  if (to === null) return problem.reported(secondsText(from));
  return (isUnknown ? problem.untilUnknown : problem.until)(secondsText(from), secondsText(to));
}
