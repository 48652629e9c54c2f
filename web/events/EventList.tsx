import { useMemo, useRef, useState } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { followNow, useCursor } from '../cursor/cursor.ts';
import { countUntil } from '../cursor/step-events.ts';
import { useEventSteps } from '../cursor/use-event-steps.ts';
import { useIsOpenRecording, useLive } from '../data/live/use-live.ts';
import { countAfter, type EventFilter } from '../data/queries/event-list.ts';
import { useListedEvents } from '../data/queries/listed-events.ts';
import { secondsText } from '../ui/time-text.ts';
import type { Moment } from '../url/moment.ts';
import { useWords } from '../words/language.ts';
import { StrayEvent } from './EventSignals.tsx';
import { EventTable } from './EventTable.tsx';
import { FoldNote } from './FoldNote.tsx';
import { ListNotes, NoEvents } from './NoEvents.tsx';
import { useEventRows } from './use-event-rows.ts';

/** How many events are requested at first, and after "load older". */
const FIRST_ASKED = 1000;
const MOST_ASKED = 5000;

type EventListProps = {
  filter: EventFilter;
  /** True if the list is about one lock, so that it needs no column for the name. */
  isOneLock?: boolean;
  selected: number | null;
  /**
   * Called with the event and its instant when an event is opened. When an event is closed, `selected` is null, and the
   * instant is that of the cursor. When the list follows its end again, both are null.
   */
  onMoment: (moment: Moment) => void;
  onClearFilter?: () => void;
};

/**
 * A live list of events, newest at the bottom. It follows its end until the user scrolls up, opens an event, or pauses.
 * Opening an event moves the cursor to it. Events after the cursor are drawn faint.
 */
export function EventList(props: EventListProps) {
  const { filter, isOneLock = false, selected, onMoment, onClearFilter } = props;
  const { eventList, moment, pastInstant } = useWords();
  const cursor = useCursor();
  const at = cursor.mode === 'paused' ? cursor.at : null;
  const isRecording = useIsOpenRecording();
  const skipped = useLive((state) => state.skipped);
  const [asked, setAsked] = useState(FIRST_ASKED);
  const [isScrolledUp, setScrolledUp] = useState(false);
  const filterText = JSON.stringify(filter);
  const wanted = useMemo((): EventFilter => JSON.parse(filterText), [filterText]);
  const listed = useListedEvents(wanted, at, asked);
  const { events, anchor, isCut } = listed;
  const isOfPast = anchor !== null;
  const isLoading = listed.isLoading || (listed.isOld && !isOfPast);

  const isFollowing = !isScrolledUp && selected === null && at === null;
  const shown = useHeld(events, isFollowing, `${filterText} ${asked} ${isLoading} ${anchor}`, at);
  const fresh = countAfter(events, shown.at(-1)?.seq ?? 0);
  const isSelectedHere = selected === null || shown.some((event) => event.seq === selected);
  const isAll = isLoading || (listed.error === null && !isCut);

  const { rows, isFolding, setFolding, toggle } = useEventRows(shown, selected);
  // a collapsed run or fold is one step for J and K
  useEventSteps(
    useMemo(() => [...rows.map(({ event }) => event), ...events.slice(events.length - fresh)], [rows, events, fresh]),
    isLoading || listed.isOld,
  );
  const countToCursor = at === null ? shown.length : countUntil(shown, at);
  const cursorSeq = at === null ? null : (shown[countToCursor - 1]?.seq ?? 0);
  const first = shown[0];
  const isCursorBefore = at !== null && first !== undefined && first.at > at;

  const select = (seq: number | null) => {
    const event = seq === null ? undefined : events.find((other) => other.seq === seq);
    onMoment({ selected: seq, at: event?.at ?? at });
  };
  const goLive = () => {
    setScrolledUp(false);
    followNow();
    onMoment({ selected: null, at: null });
  };

  return (
    <div className="event-list">
      <ListNotes
        skipped={skipped}
        loaded={isAll || shown.length === 0 ? null : events.length}
        isOfPast={isOfPast}
        isSettled={!isLoading && isAll && shown.length > 0}
        onMore={asked < MOST_ASKED && !isOfPast ? () => setAsked(MOST_ASKED) : undefined}
      />
      <FoldNote rows={rows} isFolding={isFolding} onChange={setFolding} />
      {!isSelectedHere && selected !== null && !isLoading && (
        <StrayEvent seq={selected} isOneLock={isOneLock} onSelect={select} onClose={() => select(null)} />
      )}
      {isCursorBefore && isAll && <p className="list-notes">{pastInstant.olderThanList(secondsText(first.at))}</p>}
      {shown.length === 0 ? (
        <NoEvents filter={wanted} isLoading={isLoading} error={listed.error} onClearFilter={onClearFilter} />
      ) : (
        <EventTable
          rows={rows}
          onToggle={toggle}
          isOneLock={isOneLock}
          selected={selected}
          cursorSeq={cursorSeq}
          onSelect={select}
          follow={{ isFollowing, onChange: (isAtEnd) => setScrolledUp(!isAtEnd) }}
        />
      )}
      {!isFollowing && !isRecording && (at === null || fresh > 0 || isOfPast) && (
        <button type="button" className="go-live" onClick={goLive}>
          {isOfPast ? moment.goLive : eventList.goLive(fresh)}
        </button>
      )}
    </div>
  );
}

/**
 * Returns the current list while following. After that, returns the list from when following stopped, until following
 * starts again, `key` changes, or the instant `until` is after the last event of that list. An empty list is not kept.
 */
function useHeld(
  events: readonly LockEvent[],
  isFollowing: boolean,
  key: string,
  until: RedisTime | null,
): readonly LockEvent[] {
  const held = useRef({ events, key });
  const isTooShort = (held.current.events.at(-1)?.at ?? 0) < (until ?? 0);
  if (isFollowing || held.current.key !== key || isTooShort || held.current.events.length === 0) {
    held.current = { events, key };
  }
  return held.current.events;
}
