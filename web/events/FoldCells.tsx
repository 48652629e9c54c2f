import { memo } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Fold } from '../../shared/spans/folds.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import { durationText, instantText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { EventGlyph } from './EventGlyph.tsx';
import type { EventRow } from './event-rows.ts';
import { WhenAndWho } from './WhenAndWho.tsx';

type FoldCellsProps = {
  row: EventRow & { kind: 'fold' };
  isOneLock: boolean;
  isTabStop: boolean;
  onToggle: (fromSeq: number) => void;
};

/** The cells of a fold: a quick turn, or the renewals of one client, in one row. It expands to one row per event. */
export const FoldCells = memo(
  function FoldCells({ row, isOneLock, isTabStop, onToggle }: FoldCellsProps) {
    const { eventList, time } = useWords();
    const { fold, event, before } = row;
    const last = fold.events.at(-1) ?? event;
    const locks = fold.what === 'renewals' ? new Set(fold.events.map(lockIdOf)).size : 1;
    const certainty = fold.events.some(({ certainty }) => certainty === 'inferred') ? 'inferred' : 'observed';
    return (
      <>
        <WhenAndWho
          event={event}
          at={event.at}
          before={before}
          holder={fold.what === 'turn' ? fold.holder : fold.client}
          isOneLock={isOneLock}
          {...(locks > 1 ? { locks: eventList.locks(locks) } : {})}
        />
        <td data-column="event">
          <RowButton
            isTabStop={isTabStop}
            isOpen={row.isOpen}
            onClick={() => onToggle(fold.events[0]?.seq ?? event.seq)}
          >
            <EventGlyph shape={fold.what === 'turn' ? 'acquired' : 'renewed'} />
            {fold.what === 'turn' ? eventList.turn(durationText(fold.heldMs, time)) : eventList.renewals(row.count)}
          </RowButton>
        </td>
        <td data-column="detail">
          {fold.what === 'turn' && `${turnText(fold, eventList, time)} `}
          <time className="quiet" title={instantText(last.at)}>
            {eventList.folded(row.count)}
          </time>
        </td>
        <td data-column="certainty">
          <CertaintyMark certainty={certainty} />
        </td>
      </>
    );
  },
  (a, b) =>
    a.row.key === b.row.key &&
    a.row.count === b.row.count &&
    a.row.isOpen === b.row.isOpen &&
    a.isTabStop === b.isTabStop &&
    a.isOneLock === b.isOneLock,
);

type Words = ReturnType<typeof useWords>;

function turnText({ waitedMs, events }: Fold & { what: 'turn' }, say: Words['eventList'], time: Words['time']): string {
  const wokenBy = events.map(wokenByOf).find((cause) => cause !== undefined);
  return say.turnOf(waitedMs === null ? null : durationText(waitedMs, time), wokenBy ?? null);
}

function wokenByOf(event: LockEvent): 'message' | 'own-timer' | undefined {
  return event.type === 'lock.acquired' ? event.wokenBy : undefined;
}
