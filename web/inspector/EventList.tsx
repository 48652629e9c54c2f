import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import { countAfter, type EventFilter, isOpenFilter, mergeEvents } from '../data/event-list.ts';
import { useRememberedEvents } from '../data/queries.ts';
import { useLive } from '../data/use-live.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { StrayEvent } from './EventSignals.tsx';
import { EventTable } from './EventTable.tsx';

/** Events asked for at first, and when older ones are wanted. */
const FIRST_ASKED = 1000;
const MOST_ASKED = 5000;

type EventListProps = {
  filter: EventFilter;
  /** The list is about one lock: its name needs no column. */
  isOneLock?: boolean;
  selected: number | null;
  onSelect: (seq: number | null) => void;
  onClearFilter?: () => void;
};

/** Events as they come, newest at the bottom. Scrolling up or opening one stops the list where it is. */
export function EventList({ filter, isOneLock = false, selected, onSelect, onClearFilter }: EventListProps) {
  const { eventList } = useWords();
  // Drawing may fall behind under load; what is skipped is only frames, never rows.
  const live = useDeferredValue(useLive((state) => state.events));
  const skipped = useLive((state) => state.skipped);
  const [asked, setAsked] = useState(FIRST_ASKED);
  const [isScrolledUp, setScrolledUp] = useState(false);
  const { lock, type, holder, source, db } = filter;
  const wanted = useMemo(() => ({ lock, type, holder, source, db }), [lock, type, holder, source, db]);
  const remembered = useRememberedEvents(wanted, asked);
  const { data } = remembered;
  const isLoading = remembered.isPending || remembered.isPlaceholderData;
  const events = useMemo(() => mergeEvents(data?.events ?? [], live, wanted), [data, live, wanted]);

  const isFollowing = !isScrolledUp && selected === null;
  const shown = useHeld(events, isFollowing, `${JSON.stringify(wanted)} ${asked} ${isLoading}`);
  const lastShown = shown.at(-1)?.seq ?? 0;
  const isSelectedHere = selected === null || shown.some((event) => event.seq === selected);
  const isAll = isLoading || (data !== undefined && data.events.length < asked);

  const goLive = () => {
    setScrolledUp(false);
    onSelect(null);
  };

  return (
    <div className="event-list">
      <ListNotes skipped={skipped} isAll={isAll} asked={asked} onMore={() => setAsked(MOST_ASKED)} />
      {!isSelectedHere && selected !== null && !isLoading && (
        <StrayEvent seq={selected} onSelect={onSelect} onClose={() => onSelect(null)} />
      )}
      {shown.length === 0 ? (
        <NoEvents filter={wanted} isLoading={isLoading} onClearFilter={onClearFilter} />
      ) : (
        <EventTable
          events={shown}
          isOneLock={isOneLock}
          selected={selected}
          onSelect={onSelect}
          follow={{ isFollowing, onChange: (isAtEnd) => (isAtEnd ? goLive() : setScrolledUp(true)) }}
        />
      )}
      {!isFollowing && (
        <button type="button" className="go-live" onClick={goLive}>
          {eventList.goLive(countAfter(events, lastShown))}
        </button>
      )}
    </div>
  );
}

/** The list as it is while following; as it was when following ended, until it begins again or `key` changes. */
function useHeld(events: LockEvent[], isFollowing: boolean, key: string): LockEvent[] {
  const held = useRef({ events, key });
  if (isFollowing || held.current.key !== key || held.current.events.length === 0) held.current = { events, key };
  return held.current.events;
}

type ListNotesProps = { skipped: number; isAll: boolean; asked: number; onMore: () => void };

function ListNotes({ skipped, isAll, asked, onMore }: ListNotesProps) {
  const { eventList } = useWords();
  return (
    <p className="list-notes">
      {skipped > 0 && (
        <span>
          <span aria-hidden="true">◐</span> {eventList.skipped(skipped)}
        </span>
      )}
      {!isAll && asked < MOST_ASKED && (
        <button type="button" className="button is-small" onClick={onMore}>
          {eventList.loadOlder}
        </button>
      )}
      {!isAll && asked >= MOST_ASKED && <span>{eventList.leftOut}</span>}
    </p>
  );
}

type NoEventsProps = { filter: EventFilter; isLoading: boolean; onClearFilter: (() => void) | undefined };

function NoEvents({ filter, isLoading, onClearFilter }: NoEventsProps) {
  const { common, eventList } = useWords();
  if (isLoading) return <EmptyState title={eventList.loading} />;
  if (isOpenFilter(filter)) {
    return (
      <EmptyState title={eventList.none}>
        <p>{eventList.noneHint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={eventList.noMatch}
      actions={
        onClearFilter && (
          <button type="button" className="button is-primary" onClick={onClearFilter}>
            {common.clearFilter}
          </button>
        )
      }
    >
      <p>{eventList.noMatchHint}</p>
    </EmptyState>
  );
}
