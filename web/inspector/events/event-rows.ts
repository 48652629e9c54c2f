import type { LockEvent } from '../../../shared/events/event.ts';
import { type DenseRun, denseRunsFromEvents, runOfEach } from '../../../shared/spans/dense-runs.ts';

/** One row of a list: an event, or a run, which is one row for all its attempts until it is expanded. */
export type EventRow =
  | { readonly kind: 'event'; readonly key: number; readonly event: LockEvent; readonly before: LockEvent | undefined }
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly run: DenseRun;
      /** Its first attempt. */
      readonly event: LockEvent;
      readonly before: LockEvent | undefined;
      readonly isOpen: boolean;
    };

/**
 * Returns the rows of a list of events. The attempts of a run have their own rows only while the run is expanded: by
 * the reader, or because one of them is selected.
 *
 *   events   a  r r r r r r r r  b  r r  c
 *   closed   a  [ run ×10 ]      b       c
 *   open     a  [ run ×10 ] r r r r r r r r  b  r r  c
 */
export function rowsFromEvents(
  events: readonly LockEvent[],
  opened: ReadonlySet<number>,
  selected: number | null,
): EventRow[] {
  const runs = denseRunsFromEvents(events);
  const runOf = runOfEach(runs);
  const chosen = selected === null || runs.length === 0 ? undefined : runAround(events, runs, selected);
  const rows: EventRow[] = [];
  let before: LockEvent | undefined;
  for (const event of events) {
    const run = runOf(event);
    const isOpen = run !== undefined && (opened.has(run.fromSeq) || run === chosen);
    if (run?.fromSeq === event.seq) rows.push({ kind: 'run', key: runKey(run), run, event, before, isOpen });
    if (!run || isOpen) rows.push({ kind: 'event', key: event.seq, event, before });
    before = event;
  }
  return rows;
}

/** Returns the key of the row that contains an event: its own row, or the row of its run; null if there is none. */
export function rowKeyOf(rows: readonly EventRow[], seq: number): number | string | null {
  let run: EventRow | undefined;
  for (const row of rows) {
    if (row.key === seq) return seq;
    if (row.event.seq > seq) break;
    if (row.kind === 'run' && seq <= row.run.toSeq) run = row;
  }
  return run?.key ?? null;
}

function runKey({ fromSeq }: DenseRun): string {
  return `run ${fromSeq}`;
}

function runAround(events: readonly LockEvent[], runs: readonly DenseRun[], seq: number): DenseRun | undefined {
  const runOf = runOfEach(runs);
  for (const event of events) {
    const run = runOf(event);
    if (event.seq === seq) return run;
  }
  return undefined;
}
