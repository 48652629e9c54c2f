import { useMemo } from 'react';
import { useRowHeight } from '../choices/density.ts';
import { type Column, DataTable } from '../ui/table/DataTable.tsx';
import type { FollowEnd } from '../ui/table/use-follow-end.ts';
import { windowing } from '../ui/table/windowing.ts';
import { isToday } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { EventCells } from './EventCells.tsx';
import { GlyphSheet } from './EventGlyph.tsx';
import { EventSignals } from './EventSignals.tsx';
import { type EventRow, rowKeyOf } from './event-rows.ts';
import { useRowTexts } from './use-row-texts.ts';

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
  const textsOf = useRowTexts(rows.at(-1), isOneLock, selected);
  const columns = useMemo(() => {
    const shown = COLUMNS.filter((id) => !isOneLock || id !== 'lock');
    return shown.map((id): Column => ({ id, title: words.column[id] }));
  }, [isOneLock, words]);
  const cursorKey = useMemo(() => (cursorSeq === null ? null : rowKeyOf(rows, cursorSeq)), [rows, cursorSeq]);
  const hasDates = [rows[0], rows.at(-1)].some((row) => row && !isToday(row.event.at));
  return (
    <>
      <GlyphSheet />
      <DataTable
        label={words.title}
        className={`event-table ${isOneLock ? 'is-one-lock' : ''} ${hasDates ? 'has-dates' : ''}`}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        onRowClick={(row) => {
          if (row.kind === 'event') onSelect(row.key === selected ? null : row.key);
          else onToggle(row.kind === 'run' ? row.run.fromSeq : (row.fold.events[0]?.seq ?? row.event.seq));
        }}
        rowClass={(row) => rowClass(row, selected, cursorKey === null ? null : { seq: cursorSeq ?? 0, key: cursorKey })}
        windowing={windowing}
        rowHeight={useRowHeight()}
        follow={{ ...follow, shapeOf: (row) => textsOf(row).shape, textsOf: (row) => textsOf(row).slots }}
        isMain={!isOneLock}
        reveal={isNear(selected, cursorSeq) ? selected : cursorKey}
      >
        {(row, _index, isTabStop) => (
          <>
            <EventCells texts={textsOf(row)} isTabStop={isTabStop} />
            {row.key === selected && (
              <td data-column="open" data-row-quiet>
                <EventSignals event={row.event} place={isOneLock ? 'lock' : 'events'} onSelect={onSelect} />
              </td>
            )}
          </>
        )}
      </DataTable>
    </>
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

/**
 * Several events may have the instant of the cursor, so the selected event may be before `cursorSeq`. Events that are
 * fewer numbers apart than this are near each other.
 */
const NEAR = 20;

function isNear(selected: number | null, cursorSeq: number | null): boolean {
  return selected !== null && (cursorSeq === null || Math.abs(selected - cursorSeq) < NEAR);
}
