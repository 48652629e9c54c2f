import { memo, useCallback, useMemo, useRef } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import { useRowHeight } from '../choices/density.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { GroupChip } from '../parts/GroupChip.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { NameText } from '../ui/NameText.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import { isToday } from '../ui/time-text.ts';
import type { FollowEnd } from '../ui/use-follow-end.ts';
import { useWords } from '../words/language.ts';
import { EventGlyph } from './EventGlyph.tsx';
import { EventSignals } from './EventSignals.tsx';
import { EVENT_GLYPHS } from './event-glyphs.ts';
import { type EventRow, rowKeyOf } from './event-rows.ts';
import { eventTitle } from './event-title.ts';
import { detailFromEvent } from './event-words.ts';
import { FoldCells } from './FoldCells.tsx';
import { RunCells } from './RunCells.tsx';
import { WhenAndWho } from './WhenAndWho.tsx';

const COLUMNS = ['time', 'step', 'lock', 'holder', 'event', 'detail', 'certainty'] as const;

type EventTableProps = {
  rows: readonly EventRow[];
  isOneLock: boolean;
  selected: number | null;
  /** `seq` of the last event at or before the cursor; null while live. */
  cursorSeq: number | null;
  onSelect: (seq: number | null) => void;
  /** Called with the first `seq` of a run or fold to expand or collapse it. */
  onToggle: (fromSeq: number) => void;
  follow: FollowEnd;
};

/** A table of events, one per row. The selected event shows its Redis lines, an expanded run or fold its events. */
export function EventTable(props: EventTableProps) {
  const { rows, isOneLock, selected, cursorSeq, onSelect, onToggle, follow } = props;
  const words = useWords().eventList;
  // always the same function, so that rows which do not change are not rendered again
  const latest = useRef(onSelect);
  latest.current = onSelect;
  const select = useCallback((seq: number | null) => latest.current(seq), []);
  const columns = useMemo(() => {
    const shown = COLUMNS.filter((id) => !isOneLock || id !== 'lock');
    return shown.map((id): Column => ({ id, title: words.column[id] }));
  }, [isOneLock, words]);
  const cursorKey = useMemo(() => (cursorSeq === null ? null : rowKeyOf(rows, cursorSeq)), [rows, cursorSeq]);
  const hasDates = [rows[0], rows.at(-1)].some((row) => row && !isToday(row.event.at));
  return (
    <DataTable
      label={words.title}
      className={`event-table ${isOneLock ? 'is-one-lock' : ''} ${hasDates ? 'has-dates' : ''}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      rowKind={(row) => row.kind}
      rowClass={(row) => rowClass(row, selected, cursorKey === null ? null : { seq: cursorSeq ?? 0, key: cursorKey })}
      rowHeight={useRowHeight()}
      follow={follow}
      isMain={!isOneLock}
      reveal={isNear(selected, cursorSeq) ? selected : cursorKey}
    >
      {(row, _index, isTabStop) =>
        row.kind === 'run' ? (
          <RunCells row={row} isOneLock={isOneLock} isTabStop={isTabStop} onToggle={onToggle} />
        ) : row.kind === 'fold' ? (
          <FoldCells row={row} isOneLock={isOneLock} isTabStop={isTabStop} onToggle={onToggle} />
        ) : (
          <EventCells
            event={row.event}
            before={row.before}
            isOneLock={isOneLock}
            isTabStop={isTabStop}
            isOpen={row.event.seq === selected}
            onSelect={select}
          />
        )
      }
    </DataTable>
  );
}

function rowClass(
  row: EventRow,
  selected: number | null,
  cursor: { seq: number; key: number | string } | null,
): string {
  const isAtCursor = cursor?.key === row.key;
  const place = isAtCursor ? ' is-cursor' : cursor !== null && row.event.seq > cursor.seq ? ' is-after' : '';
  return (row.key === selected ? 'is-open' : '') + place;
}

/** Several events may have the instant of the cursor, so the selected one may be a few before `cursorSeq`. */
const NEAR = 20;

function isNear(selected: number | null, cursorSeq: number | null): boolean {
  return selected !== null && (cursorSeq === null || Math.abs(selected - cursorSeq) < NEAR);
}

type EventCellsProps = {
  event: LockEvent;
  before: LockEvent | undefined;
  isOneLock: boolean;
  isTabStop: boolean;
  isOpen: boolean;
  onSelect: (seq: number | null) => void;
};

const EventCells = memo(function EventCells({
  event,
  before,
  isOneLock,
  isTabStop,
  isOpen,
  onSelect,
}: EventCellsProps) {
  const words = useWords();
  return (
    <>
      <WhenAndWho event={event} at={event.at} before={before} holder={holderOf(event)} isOneLock={isOneLock} />
      <td data-column="event">
        <RowButton isTabStop={isTabStop} isOpen={isOpen} onClick={() => onSelect(isOpen ? null : event.seq)}>
          <EventGlyph shape={EVENT_GLYPHS[event.type]} />
          {eventTitle(event, words)}
        </RowButton>
      </td>
      <td data-column="detail">
        {event.group !== undefined && <GroupChip id={event.group} isTabStop={isTabStop} />}
        <NameText text={detailFromEvent(event, words)} most={160} />
      </td>
      <td data-column="certainty">
        <CertaintyMark certainty={event.certainty} />
      </td>
      {isOpen && (
        <td data-column="open" data-row-quiet>
          <EventSignals event={event} place={isOneLock ? 'lock' : 'events'} onSelect={onSelect} />
        </td>
      )}
    </>
  );
});

function holderOf(event: LockEvent): string | null {
  if ('holder' in event && event.holder !== undefined) return event.holder;
  return 'client' in event && event.client !== undefined ? event.client : null;
}
