import { useMemo, useRef, useState } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import { useAttempts } from '../data/queries/attempts.ts';
import { withAttempts } from '../data/queries/event-list.ts';
import { type EventRow, rowsFromEvents } from './event-rows.ts';
import { ListFolder } from './list-folder.ts';

/** The rows of a list, and which runs and folds the user has expanded. */
type EventRows = {
  readonly rows: readonly EventRow[];
  /** True if busy times are folded. */
  readonly isFolding: boolean;
  readonly setFolding: (isFolding: boolean) => void;
  /** Expands or collapses the run or fold that begins with this `seq`. */
  readonly toggle: (fromSeq: number) => void;
};

/** Returns the rows of a list of events. The attempts of an expanded run are read from the server. */
export function useEventRows(shown: readonly LockEvent[], selected: number | null): EventRows {
  const [opened, setOpened] = useState<ReadonlySet<number>>(NONE_OPENED);
  const [isFolding, setFolding] = useState(true);
  const closed = useRows(shown, NONE_OPENED, selected, isFolding);
  const attempts = useAttempts(useMemo(() => firstsOf(closed, opened), [closed, opened]));
  const whole = useMemo(() => withAttempts(shown, attempts), [shown, attempts]);
  const open = useRows(opened.size === 0 ? NO_EVENTS : whole, opened, selected, isFolding);
  const toggle = (fromSeq: number) => setOpened((before) => toggled(before, fromSeq));
  return { rows: opened.size === 0 ? closed : open, isFolding, setFolding, toggle };
}

const NONE_OPENED: ReadonlySet<number> = new Set();
const NO_EVENTS: readonly LockEvent[] = [];

function useRows(
  events: readonly LockEvent[],
  opened: ReadonlySet<number>,
  selected: number | null,
  isFolding: boolean,
): EventRow[] {
  const folder = useRef(new ListFolder());
  return useMemo(
    () => rowsFromEvents(events, opened, selected, isFolding ? folder.current.foldsOf(events) : undefined),
    [events, opened, selected, isFolding],
  );
}

/** Returns the first attempt of each expanded run. */
function firstsOf(rows: readonly EventRow[], opened: ReadonlySet<number>): LockEvent[] {
  return rows.flatMap((row) => (row.kind === 'run' && opened.has(row.run.fromSeq) ? [row.event] : []));
}

function toggled(opened: ReadonlySet<number>, fromSeq: number): ReadonlySet<number> {
  const next = new Set(opened);
  if (!next.delete(fromSeq)) next.add(fromSeq);
  return next;
}
