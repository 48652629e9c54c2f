import type { LockEvent } from '../../../shared/events/event.ts';
import type { Lane } from '../../timeline/model/marks.ts';

/**
 * Extends waits for a latch until their thread woke: the opening of the latch sends the message, and a thread
 * unsubscribes when it has received it.
 */
export function withWakingWaits(lane: Lane, events: readonly LockEvent[]): Lane {
  const spans = lane.spans.map((span) => {
    if (span.kind !== 'wait' || span.mode !== 'latch' || span.to === null) return span;
    const { to } = span;
    if (!events.some(({ type, at }) => type === 'latch.opened' && at === to)) return span;
    const woken = events.find(
      (event) => event.type === 'waiter.unsubscribed' && event.holder === lane.holder && event.at >= to,
    );
    return { ...span, to: woken?.at ?? null };
  });
  return { ...lane, spans };
}
