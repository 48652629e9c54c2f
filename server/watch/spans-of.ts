import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import { waitsFromEvents } from '../../shared/spans/waits-from-events.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { Span } from '../../shared/wire/http.ts';
import { type HistoryRing, isAt } from './history-ring.ts';
import type { SpanQuery } from './observatory.ts';

const MOST_SPANS = 10_000;

/** Holds and waits that touch the stretch `from`..`to` (Redis time, µs), oldest first. */
export function spansOf(history: HistoryRing, query: SpanQuery): { spans: Span[]; truncated: boolean } {
  const byLock = new Map<string, LockEvent[]>();
  for (const event of history.ends()) {
    if (event.type === 'blind-spot.began') {
      for (const events of byLock.values()) if (events[0]?.source === event.source) events.push(event);
    }
    if (isOfSource(event) || !isAt(event, query)) continue;
    const id = lockIdOf(event);
    const events = byLock.get(id);
    if (events) events.push(event);
    else byLock.set(id, [event]);
  }
  const spans = [...byLock.values()].flatMap(spansFromEvents).filter((span) => touches(span, query));
  spans.sort((a, b) => a.from - b.from);
  return { spans: spans.slice(-MOST_SPANS), truncated: spans.length > MOST_SPANS };
}

function spansFromEvents(events: readonly LockEvent[]): Span[] {
  const [first] = events;
  if (!first) return [];
  const of = { source: first.source, db: first.db, lock: first.lock };
  const holds = holdsFromEvents(events).map(
    (hold): Span => ({
      kind: 'hold',
      ...of,
      holder: hold.holder,
      from: hold.from,
      to: hold.to,
      ended: hold.ended,
      openStart: hold.isOpenStart,
      deepest: hold.deepest,
      renewals: hold.renewals,
      fromSeq: hold.fromSeq,
      toSeq: hold.toSeq,
    }),
  );
  const waits = waitsFromEvents(events).map(
    (wait): Span => ({
      kind: 'wait',
      ...of,
      holder: wait.holder,
      from: wait.from,
      to: wait.to,
      ended: wait.ended,
      openStart: false,
      attempts: wait.attempts,
      fromSeq: wait.fromSeq,
      toSeq: wait.toSeq,
    }),
  );
  return [...holds, ...waits];
}

function touches(span: Span, query: { from?: number | undefined; to?: number | undefined }): boolean {
  if (query.to !== undefined && span.from > query.to) return false;
  return query.from === undefined || span.to === null || span.to >= query.from;
}
