import { memo } from 'react';
import { millisBetween } from '../../shared/base/time.ts';
import { MOST_ATTEMPTS } from '../data/queries/attempts.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import { durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { EventGlyph } from './EventGlyph.tsx';
import type { EventRow } from './event-rows.ts';
import { WhenAndWho } from './WhenAndWho.tsx';

type RunCellsProps = {
  row: EventRow & { kind: 'run' };
  isOneLock: boolean;
  isTabStop: boolean;
  onToggle: (fromSeq: number) => void;
};

/** The cells of a run: attempts without a pause in one row, with their count. It expands to one row per attempt. */
export const RunCells = memo(
  function RunCells({ row, isOneLock, isTabStop, onToggle }: RunCellsProps) {
    const words = useWords();
    const { run, event, before } = row;
    return (
      <>
        <WhenAndWho event={event} at={run.from} before={before} holder={run.holder} isOneLock={isOneLock} />
        <td data-column="event">
          <RowButton isTabStop={isTabStop} isOpen={row.isOpen} onClick={() => onToggle(run.fromSeq)}>
            <EventGlyph shape="refused" />
            {words.eventList.run(run.attempts)}
          </RowButton>
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
