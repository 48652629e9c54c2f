import type { LockEvent } from '../../shared/events/event.ts';
import { type DenseRun, denseRunsFromEvents, runOfEach } from '../../shared/spans/dense-runs.ts';
import type { Fold } from '../../shared/spans/folds.ts';

const NO_FOLDS: ReadonlyMap<number, Fold> = new Map();

type InRow = {
  /** The event of the row: the first one of a run or an open fold, the last one of a collapsed fold. */
  readonly event: LockEvent;
  /** The event that precedes `event` in the list. */
  readonly before: LockEvent | undefined;
};

/** One row of a list: an event, or several events in one row until it is expanded: a run of attempts, or a fold. */
export type EventRow =
  | ({ readonly kind: 'event'; readonly key: number } & InRow)
  | ({ readonly kind: 'run'; readonly key: string; readonly run: DenseRun; readonly isOpen: boolean } & InRow)
  | ({
      readonly kind: 'fold';
      readonly key: string;
      readonly fold: Fold;
      readonly count: number;
      readonly isOpen: boolean;
    } & InRow);

/**
 * Returns the rows of a list of events. The events of a run or a fold have their own rows only while it is expanded: by
 * the user (`opened` has the `seq` of its first event), or because one of its events is selected.
 *
 *   events   a  r r r r r r r r  b  r r  c
 *   closed   a  [ run ×10 ]      b       c
 *   open     a  [ run ×10 ] r r r r r r r r  b  r r  c
 */
export function rowsFromEvents(
  events: readonly LockEvent[],
  opened: ReadonlySet<number>,
  selected: number | null,
  foldOf: ReadonlyMap<number, Fold> = NO_FOLDS,
): EventRow[] {
  const runs = denseRunsFromEvents(events);
  const runOf = runOfEach(runs);
  const chosen = selected === null || runs.length === 0 ? undefined : runAround(events, runs, selected);
  const shown = new Set<Fold>();
  const rows: EventRow[] = [];
  let before: LockEvent | undefined;
  for (const event of events) {
    const run = runOf(event);
    const fold = run ? undefined : foldOf.get(event.seq);
    const isChosen = run ? run === chosen : fold !== undefined && selected !== null && foldOf.get(selected) === fold;
    const isOpen = isChosen || opened.has(run?.fromSeq ?? fold?.events[0]?.seq ?? -1);
    // a collapsed fold is at its last event, so that the end of the list shows the newest events
    const isFoldHere = fold && (isOpen ? !shown.has(fold) : fold.events.at(-1)?.seq === event.seq);
    const isFirst = run?.fromSeq === event.seq;
    if (run && isFirst) rows.push({ kind: 'run', key: `run ${event.seq}`, run, event, before, isOpen });
    if (fold && isFoldHere) {
      shown.add(fold);
      rows.push({
        kind: 'fold',
        key: `fold ${fold.events[0]?.seq}`,
        fold,
        count: fold.events.length,
        event,
        before,
        isOpen,
      });
    }
    if (!(run || fold) || isOpen) rows.push({ kind: 'event', key: event.seq, event, before });
    before = event;
  }
  return rows;
}

/**
 * Returns the key of the row that contains an event: its own row, or the row of its run or fold; null if there is none.
 */
export function rowKeyOf(rows: readonly EventRow[], seq: number): number | string | null {
  let around: EventRow | undefined;
  for (const row of rows) {
    if (row.key === seq) return seq;
    if (row.kind === 'run' && row.run.fromSeq <= seq && seq <= row.run.toSeq) around = row;
    if (row.kind === 'fold' && row.fold.events.some((event) => event.seq === seq)) return row.key;
  }
  return around?.key ?? null;
}

/** Returns how many events the collapsed folds of some rows contain, and how many rows show them. */
export function foldedIn(rows: readonly EventRow[]): { readonly events: number; readonly rows: number } {
  const counts = rows.flatMap((row) => (row.kind === 'fold' && !row.isOpen ? [row.count] : []));
  return { events: counts.reduce((sum, events) => sum + events, 0), rows: counts.length };
}

function runAround(events: readonly LockEvent[], runs: readonly DenseRun[], seq: number): DenseRun | undefined {
  const runOf = runOfEach(runs);
  for (const event of events) {
    const run = runOf(event);
    if (event.seq === seq) return run;
  }
  return undefined;
}
