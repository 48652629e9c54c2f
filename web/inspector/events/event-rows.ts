import type { LockEvent } from '../../../shared/events/event.ts';
import { type DenseRun, denseRunsFromEvents, runOfEach } from '../../../shared/spans/dense-runs.ts';
import { type Fold, foldsFromEvents } from '../../../shared/spans/folds.ts';

type InRow = {
  /** Its first event. */
  readonly event: LockEvent;
  /** The event before it in the list. */
  readonly before: LockEvent | undefined;
};

/** One row of a list: an event, or several events in one row until it is expanded: a run of attempts, or a fold. */
export type EventRow =
  | ({ readonly kind: 'event'; readonly key: number } & InRow)
  | ({ readonly kind: 'run'; readonly key: string; readonly run: DenseRun; readonly isOpen: boolean } & InRow)
  | ({ readonly kind: 'fold'; readonly key: string; readonly fold: Fold; readonly isOpen: boolean } & InRow);

/**
 * Returns the rows of a list of events. The events of a run or a fold have their own rows only while it is expanded: by
 * the reader (`opened` has the `seq` of its first event), or because one of its events is selected.
 *
 *   events   a  r r r r r r r r  b  r r  c
 *   closed   a  [ run ×10 ]      b       c
 *   open     a  [ run ×10 ] r r r r r r r r  b  r r  c
 */
export function rowsFromEvents(
  events: readonly LockEvent[],
  opened: ReadonlySet<number>,
  selected: number | null,
  isFolding = true,
): EventRow[] {
  const runs = denseRunsFromEvents(events);
  const inRun = runOfEach(runs);
  const folds = isFolding ? foldsFromEvents(events, (event) => inRun(event) !== undefined) : [];
  const foldOf = foldOfEach(folds);
  const runOf = runOfEach(runs);
  const chosen = selected === null || runs.length === 0 ? undefined : runAround(events, runs, selected);
  const rows: EventRow[] = [];
  let before: LockEvent | undefined;
  for (const event of events) {
    const run = runOf(event);
    const fold = run ? undefined : foldOf.get(event.seq);
    const isFirst = (run?.fromSeq ?? fold?.events[0]?.seq) === event.seq;
    const isChosen = run ? run === chosen : fold !== undefined && selected !== null && foldOf.get(selected) === fold;
    const isOpen = isChosen || opened.has(run?.fromSeq ?? fold?.events[0]?.seq ?? -1);
    if (run && isFirst) rows.push({ kind: 'run', key: `run ${event.seq}`, run, event, before, isOpen });
    if (fold && isFirst) rows.push({ kind: 'fold', key: `fold ${event.seq}`, fold, event, before, isOpen });
    if (!(run || fold) || isOpen) rows.push({ kind: 'event', key: event.seq, event, before });
    before = event;
  }
  return rows;
}

/** Returns the key of the row that contains an event: its own row, or the row of its run or fold; null if there is none. */
export function rowKeyOf(rows: readonly EventRow[], seq: number): number | string | null {
  let around: EventRow | undefined;
  for (const row of rows) {
    if (row.key === seq) return seq;
    if (row.event.seq > seq) break;
    if (row.kind === 'run' && seq <= row.run.toSeq) around = row;
    if (row.kind === 'fold' && row.fold.events.some((event) => event.seq === seq)) return row.key;
  }
  return around?.key ?? null;
}

/** Returns how many events the collapsed folds of some rows contain, and how many rows show them. */
export function foldedIn(rows: readonly EventRow[]): { readonly events: number; readonly rows: number } {
  const folds = rows.flatMap((row) => (row.kind === 'fold' && !row.isOpen ? [row.fold.events.length] : []));
  return { events: folds.reduce((sum, events) => sum + events, 0), rows: folds.length };
}

function foldOfEach(folds: readonly Fold[]): ReadonlyMap<number, Fold> {
  const foldOf = new Map<number, Fold>();
  for (const fold of folds) for (const { seq } of fold.events) foldOf.set(seq, fold);
  return foldOf;
}

function runAround(events: readonly LockEvent[], runs: readonly DenseRun[], seq: number): DenseRun | undefined {
  const runOf = runOfEach(runs);
  for (const event of events) {
    const run = runOf(event);
    if (event.seq === seq) return run;
  }
  return undefined;
}
