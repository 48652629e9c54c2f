import type { LockEvent } from '../../shared/events/event.ts';

/** How many events of a long trace are written out; the rest is only counted. */
const WRITTEN = 300;

/**
 * Events as lines that a reviewer can read, one event a line:
 *
 *   # times in ms since 1795218542993300 µs
 *   7 1520.433 lock.acquired "orders:42" | kind lock, holder 7132f310:62, holdCount 1 <- 3 5 (inferred)
 *   │ │        │             │             └ its other fields                        │     └ absent: observed
 *   │ └ time   └ type        └ lock                                                  └ its causes
 *   └ seq
 *
 * An event of another source or database than the first one has ` @source/db` behind its lock.
 */
export function textOfEvents(events: readonly LockEvent[]): string {
  const [first] = events;
  if (!first) return 'no events\n';
  const lines = events.slice(0, WRITTEN).map((event) => lineOf(event, first));
  const left = countByType(events.slice(WRITTEN)).map(([type, count]) => `… and ${count} ${type}`);
  return `${[`# times in ms since ${first.at} µs`, ...lines, ...left].join('\n')}\n`;
}

function lineOf(event: LockEvent, first: LockEvent): string {
  const { seq, at, type, lock, db, source, certainty, because, kind, ...rest } = event;
  const place = source === first.source && db === first.db ? '' : ` @${source}/${db}`;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  const named = [['kind', kind], ...fields].map(([name, value]) => `${name} ${textOf(value, first.at)}`);
  const end = `${because ? ` <- ${because.join(' ')}` : ''}${certainty === 'inferred' ? ' (inferred)' : ''}`;
  return `${seq} ${msSince(at, first.at)} ${type} ${JSON.stringify(lock)}${place} | ${named.join(', ')}${end}`;
}

function textOf(value: unknown, start: number): string {
  if (typeof value === 'number' && value > start / 2) return `${msSince(value, start)} ms`;
  return shortUuids(typeof value === 'string' ? value : JSON.stringify(value));
}

function msSince(at: number, start: number): string {
  return ((at - start) / 1000).toFixed(3);
}

function shortUuids(text: string): string {
  return text.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1');
}

function countByType(events: readonly LockEvent[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
