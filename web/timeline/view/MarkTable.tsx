import { memo, useEffect, useMemo, useState } from 'react';
import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import { useRowHeight } from '../../choices/density.ts';
import { useCursor } from '../../cursor/cursor.ts';
import { useLive } from '../../data/live/use-live.ts';
import { NotWatching, useNoSight } from '../../parts/NotWatching.tsx';
import { Person } from '../../parts/Person.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { EmptyState } from '../../ui/Notice.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { windowing } from '../../ui/table/windowing.ts';
import { clockText, durationText, isToday } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { type MarkRow, marksInView } from '../layout/mark-rows.ts';
import type { UnknownRange } from '../layout/unknown-ranges.ts';
import { useNameOf } from '../model/people-names.ts';
import type { NameOf } from '../model/sentence.ts';
import { markWord, sentenceOf } from '../model/sentence.ts';
import { useHasSeveralLocks, useRows, useTimeline, useWorkspace } from '../store/workspace.ts';
import { RangeNotes } from './RangeNotes.tsx';

/** While live, the table is updated this often. */
const FOLLOW_EVERY_MS = 1000;

/** Ranges that may have marks which are not loaded. */
const UNREAD: ReadonlySet<UnknownRange['why']> = new Set(['outlined', 'unloaded', 'loading', 'failed']);

const COLUMNS = ['time', 'lock', 'holder', 'mark', 'length', 'sentence'] as const;

/** The marks of the view as a table: the accessible form of the picture, with the same selection. */
export function MarkTable() {
  const words = useWords().timeline;
  const rowHeight = useRowHeight();
  const { actions, timeline } = useWorkspace();
  const selected = useTimeline((state) => (state.selected === null ? null : `${state.selectedLock} ${state.selected}`));
  const { rows, isCut } = useMarkRows();
  const areSeveral = useHasSeveralLocks();
  const nameOf = useNameOf(areSeveral);
  const now = timeline.now();
  const isUnread = timeline.unknownIn(timeline.view()).some(({ why }) => UNREAD.has(why));
  const noSight = useNoSight();
  const hasLocks = useLive((state) => state.locks.size > 0);
  if (rows.length === 0) {
    if (noSight && !hasLocks) return <NotWatching noSight={noSight} />;
    return (
      <EmptyState title={isUnread ? words.noMarksRead : words.noMarks}>
        <p>
          <RangeNotes />
        </p>
      </EmptyState>
    );
  }
  return (
    <div className="tl-table">
      <p className="list-notes">
        <span>{isCut ? words.marksInViewCut(rows.length) : words.marksInView(rows.length)}</span>
        <RangeNotes />
      </p>
      <DataTable
        label={words.table}
        className={
          [rows[0], rows.at(-1)].every((row) => !row || isToday(row.at)) ? 'mark-table' : 'mark-table has-dates'
        }
        columns={COLUMNS.map((id): Column => ({ id, title: words.column[id] }))}
        rows={rows}
        rowKey={(row) => row.key}
        rowClass={(row) => (row.key === selected ? 'is-open' : '')}
        windowing={windowing}
        rowHeight={rowHeight}
        reveal={selected}
      >
        {(row, _index, isTabStop) => (
          <MarkCells
            row={row}
            now={now}
            nameOf={nameOf}
            areSeveral={areSeveral}
            isTabStop={isTabStop}
            isSelected={row.key === selected}
            onSelect={() => actions.select(row.track, row.mark)}
          />
        )}
      </DataTable>
    </div>
  );
}

function useMarkRows(): { rows: readonly MarkRow[]; isCut: boolean } {
  const { timeline } = useWorkspace();
  const { rows } = useRows();
  const isLive = useCursor().mode === 'live';
  const view = useTimeline((state) => state.view);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isLive) return;
    const timer = window.setInterval(() => setRound((last) => last + 1), FOLLOW_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [isLive]);
  return useMemo(() => {
    void round;
    void view;
    const lockIds = rows.flatMap((row) => (row.kind === 'lock' ? [row.lockId] : []));
    const tracks = lockIds.flatMap((id) => timeline.tracks.get(id, Date.now()) ?? []);
    return marksInView(tracks, timeline.view(), timeline.now(), timeline.anchor());
  }, [timeline, rows, view, round]);
}

type MarkCellsProps = {
  row: MarkRow;
  now: RedisTime;
  nameOf: NameOf;
  areSeveral: boolean;
  isTabStop: boolean;
  isSelected: boolean;
  onSelect: () => void;
};

const MarkCells = memo(function MarkCells({
  row,
  now,
  nameOf,
  areSeveral,
  isTabStop,
  isSelected,
  onSelect,
}: MarkCellsProps) {
  const words = useWords();
  const { track, mark, at, end } = row;
  return (
    <>
      <td data-column="time">{clockText(at)}</td>
      <td data-column="lock">
        <NameText text={track.name} most={48} isOneLine />
      </td>
      <td data-column="holder">
        <Person lockId={track.id} id={mark.holder} most={24} isAmongLocks={areSeveral} />
      </td>
      <td data-column="mark">
        <RowButton isTabStop={isTabStop} isSelected={isSelected} onClick={onSelect}>
          {markWord(mark, words.marks)}
        </RowButton>
      </td>
      <td data-column="length">{mark.kind === 'point' ? '–' : durationText(millisBetween(at, end))}</td>
      <td data-column="sentence">
        <NameText text={sentenceOf(track, mark, now, nameOf, words)} most={300} />
      </td>
    </>
  );
});
