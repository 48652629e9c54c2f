import type { LockEvent } from '../../shared/events/event.ts';
import { denseRunsFromEvents } from '../../shared/spans/dense-runs.ts';
import type { Span } from './scale.ts';

/** Width of a column: thin enough to be exact, wide enough to be seen. */
export const COLUMN_PX = 2;

/** One column per two pixels: how many events lie in it, and whether a lease was lost there. */
export type MinimapColumns = { readonly counts: Uint32Array; readonly lost: Uint8Array; readonly most: number };

/**
 * Counts events by column over a stretch of `width` pixels. Renewals do not count: they say that nothing happened. The
 * attempts of a dense run, of which only some are there, are spread over all of it.
 */
export function minimapColumns(events: readonly LockEvent[], extent: Span, width: number): MinimapColumns {
  const columns = Math.max(1, Math.ceil(width / COLUMN_PX));
  const counts = new Uint32Array(columns);
  const lost = new Uint8Array(columns);
  const perMicro = counts.length / Math.max(1, extent.to - extent.from);
  let most = 0;
  for (const event of events) {
    if (event.type === 'lease.renewed') continue;
    const column = Math.floor((event.at - extent.from) * perMicro);
    if (column < 0 || column >= counts.length) continue;
    const count = (counts[column] ?? 0) + 1;
    counts[column] = count;
    if (count > most) most = count;
    if (event.type === 'lease.expired') lost[column] = 1;
  }
  for (const run of denseRunsFromEvents(events.filter(isRepeated))) {
    const columnOf = (at: number) => Math.floor((at - extent.from) * perMicro);
    const first = columnOf(run.from);
    const each = Math.max(1, Math.round(run.attempts / (columnOf(run.to) - first + 1)));
    for (let column = Math.max(0, first); column <= Math.min(columns - 1, columnOf(run.to)); column++) {
      counts[column] = Math.max(counts[column] ?? 0, each);
      most = Math.max(most, each);
    }
  }
  return { counts, lost, most };
}

/** Only attempts that follow others make a run that is told by its ends. */
function isRepeated(event: LockEvent): boolean {
  return event.type === 'lock.refused' && event.attempt > 2 && !event.asleep;
}
