import type { LockEvent } from '../../shared/events/event.ts';
import { type Fold, Folder } from '../../shared/spans/folds.ts';

/** Returns the folds of a whole list, in order of their first events. */
export function foldsFromEvents(events: readonly LockEvent[]): Fold[] {
  const folder = new Folder();
  for (const event of events) folder.add(event);
  return [...new Set(folder.foldOf.values())].sort((a, b) => firstSeq(a) - firstSeq(b));
}

function firstSeq({ events }: Fold): number {
  return events[0]?.seq ?? 0;
}
