import type { LockEvent } from '../../../shared/events/event.ts';
import type { WakeArrow } from './marks.ts';

/**
 * An arrow for each acquisition that ended a sleep, if one of its causes (`because`) is among the events. It starts at
 * the time of the first such cause.
 *
 *   A   ██◆            released ◀─ because ─ wakeup.published ◀─ because ─ acquired
 *         ↘
 *   B   ▨▨▨┃███        the arrow starts on the lane of the thread that released
 */
export function arrowsFromEvents(events: readonly LockEvent[]): WakeArrow[] {
  const arrows: WakeArrow[] = [];
  const bySeq = new Map<number, LockEvent>();
  for (const event of events) {
    bySeq.set(event.seq, event);
    if (event.type !== 'lock.acquired' && event.type !== 'permits.acquired') continue;
    if (event.wokenBy === undefined || event.holder === undefined) continue;
    const cause = causeIn(bySeq, event);
    if (!cause) continue;
    arrows.push({
      seq: event.seq,
      fromHolder: holderBehind(bySeq, cause),
      fromAt: cause.at,
      toHolder: event.holder,
      toAt: event.at,
      by: event.wokenBy,
      causes: [cause.seq, ...(cause.because ?? [])],
    });
  }
  return arrows;
}

function causeIn(bySeq: ReadonlyMap<number, LockEvent>, event: LockEvent): LockEvent | undefined {
  for (const seq of event.because ?? []) {
    const cause = bySeq.get(seq);
    if (cause) return cause;
  }
  return undefined;
}

function holderBehind(bySeq: ReadonlyMap<number, LockEvent>, cause: LockEvent): string | null {
  if ('holder' in cause && cause.holder !== undefined) return cause.holder;
  const behind = causeIn(bySeq, cause);
  return behind && 'holder' in behind && behind.holder !== undefined ? behind.holder : null;
}
