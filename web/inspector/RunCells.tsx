import { memo } from 'react';
import { millisBetween } from '../../shared/base/time.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { MOST_ATTEMPTS } from '../data/queries.ts';
import { NameText } from '../ui/NameText.tsx';
import { clockText, durationText, instantText, stepText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { CertaintyMark } from './Certainty.tsx';
import { EventGlyph } from './EventGlyph.tsx';
import type { EventRow } from './event-rows.ts';
import { Person } from './Person.tsx';

type RunCellsProps = {
  row: EventRow & { kind: 'run' };
  isOneLock: boolean;
  isTabStop: boolean;
  onToggle: (fromSeq: number) => void;
};

/** Attempts without a pause in one row, with their count; it opens to rows of their own. */
export const RunCells = memo(
  function RunCells({ row, isOneLock, isTabStop, onToggle }: RunCellsProps) {
    const words = useWords();
    const { run, event, before } = row;
    return (
      <>
        <td data-column="time">
          <time title={instantText(run.from)}>{clockText(run.from)}</time>
        </td>
        <td data-column="step">{before ? stepText(millisBetween(before.at, run.from)) : '–'}</td>
        {!isOneLock && (
          <td data-column="lock">
            <NameText text={event.lock} most={64} isOneLine />
          </td>
        )}
        <td data-column="holder">
          <Person lockId={lockIdOf(event)} id={run.holder} most={28} />
        </td>
        <td data-column="event">
          <button
            type="button"
            className="event-word"
            data-row-focus
            tabIndex={isTabStop ? 0 : -1}
            aria-expanded={row.isOpen}
            onClick={() => onToggle(run.fromSeq)}
          >
            <EventGlyph shape="refused" />
            {words.eventList.run(run.attempts)}
          </button>
        </td>
        <td data-column="detail">
          {words.eventList.runWithin(durationText(millisBetween(run.from, run.to), words.time))}
          {row.isOpen && run.attempts > MOST_ATTEMPTS && ` ${words.eventList.firstListed(MOST_ATTEMPTS)}`}
        </td>
        <td data-column="certainty">
          <CertaintyMark certainty={event.certainty} />
        </td>
      </>
    );
  },
  (a, b) =>
    a.row.run.attempts === b.row.run.attempts &&
    a.row.run.fromSeq === b.row.run.fromSeq &&
    a.row.isOpen === b.row.isOpen &&
    a.isTabStop === b.isTabStop,
);
