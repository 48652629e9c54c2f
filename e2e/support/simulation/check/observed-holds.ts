import { eventsFromTrace } from '../../../../testing/traces/trace-file.ts';
import type { ReportedEvent } from '../../lockscope/lockscope.ts';

const OF_HOLDS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.released']);

/** An event of a hold that Redis itself reported: at level `events`, field notifications name its holder. */
function isObservedHold({ type, certainty }: ReportedEvent): boolean {
  return OF_HOLDS.has(type) && certainty === 'observed';
}

/**
 * Observed acquisitions and releases that did not happen, or not in this order. `trace`: what the server sent to a
 * connection that monitors, which shows every acquisition and release.
 */
export function untrueHolds(trace: string, events: readonly ReportedEvent[]): string[] {
  const happened = new Map<string, string[]>();
  for (const event of asReported(eventsFromTrace(trace, true))) {
    if (OF_HOLDS.has(event.type)) happened.set(event.lock, [...(happened.get(event.lock) ?? []), textOf(event)]);
  }
  const problems: string[] = [];
  const places = new Map<string, number>();
  for (const event of events.filter(isObservedHold)) {
    const from = places.get(event.lock) ?? 0;
    const place = (happened.get(event.lock) ?? []).indexOf(textOf(event), from);
    if (place === -1)
      problems.push(`${textOf(event)} on ${event.lock} at ${event.at} was observed, but did not happen`);
    else places.set(event.lock, place + 1);
  }
  return problems;
}

function textOf(event: ReportedEvent): string {
  const { holder, mode } = event as { holder?: string; mode?: string };
  return `${event.type} by ${holder} (${mode})`;
}

function asReported(events: ReturnType<typeof eventsFromTrace>): readonly ReportedEvent[] {
  return events as unknown as readonly ReportedEvent[]; // the form of their JSON: `shared/wire/locks/lock-event.ts`
}
