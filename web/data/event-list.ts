import type { EventType, LockEvent } from '../../shared/events/event.ts';

/** Which events a list shows. Empty and null mean all. `db` narrows within what the server was asked for. */
export type EventFilter = {
  readonly lock: string;
  readonly type: EventType | null;
  readonly holder: string;
  readonly source: string | null;
  readonly db: number | null;
  /** Of one multi lock or RedLock; empty: all. */
  readonly group: string;
};

export const ALL_EVENTS: EventFilter = { lock: '', type: null, holder: '', source: null, db: null, group: '' };

/** Rows a list shows at most. */
export const LIST_CAP = 10_000;

/** True when the filter lets everything through. */
export function isOpenFilter(filter: EventFilter): boolean {
  return (
    filter.lock === '' && filter.type === null && filter.holder === '' && filter.group === '' && filter.source === null
  );
}

/** True when the list shows the event: names exactly, as the server compares them. */
export function isMatching(event: LockEvent, filter: EventFilter): boolean {
  return (
    (filter.lock === '' || event.lock === filter.lock) &&
    (filter.type === null || event.type === filter.type) &&
    (filter.source === null || event.source === filter.source) &&
    (filter.db === null || event.db === filter.db) &&
    (filter.group === '' || event.group === filter.group) &&
    (filter.holder === '' || ('holder' in event && event.holder === filter.holder))
  );
}

/**
 * One list, by `seq`, of what the server remembered and what came live since. Events known to both appear once;
 * beyond the cap the oldest go.
 */
export function mergeEvents(
  remembered: readonly LockEvent[],
  live: readonly LockEvent[],
  filter: EventFilter,
  cap = LIST_CAP,
): LockEvent[] {
  const merged: LockEvent[] = [];
  let r = 0;
  for (const event of live) {
    if (!isMatching(event, filter)) continue;
    for (let old = remembered[r]; old && old.seq < event.seq; old = remembered[++r]) push(merged, old, filter);
    if (remembered[r]?.seq === event.seq) r++;
    merged.push(event);
  }
  for (let old = remembered[r]; old; old = remembered[++r]) push(merged, old, filter);
  return merged.length > cap ? merged.slice(-cap) : merged;
}

function push(list: LockEvent[], event: LockEvent, filter: EventFilter): void {
  if (isMatching(event, filter)) list.push(event);
}

/** A list with the attempts of opened runs put in their places. */
export function withAttempts(events: readonly LockEvent[], attempts: readonly LockEvent[]): readonly LockEvent[] {
  if (attempts.length === 0) return events;
  const known = new Set(events.map(({ seq }) => seq));
  const first = events[0]?.seq ?? 0;
  const last = events.at(-1)?.seq ?? 0;
  const more = attempts.filter(({ seq }) => seq > first && seq < last && !known.has(seq));
  return [...events, ...more].sort((a, b) => a.seq - b.seq);
}

/** How many events of a rising list have a higher `seq`. */
export function countAfter(events: readonly LockEvent[], seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return events.length - low;
}
