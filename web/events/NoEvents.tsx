import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { type EventFilter, isOpenFilter } from '../data/queries/event-list.ts';
import { type MemoryEdge, useMemoryEdge } from '../data/queries/queries.ts';
import { NoneWithRights } from '../parts/NoActivity.tsx';
import { NotWatching, useNoSight } from '../parts/NotWatching.tsx';
import { useLacksRights } from '../parts/use-missing.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { PartMatches } from './PartMatches.tsx';

type NoEventsProps = {
  filter: EventFilter;
  isLoading: boolean;
  error: Error | null;
  onClearFilter: (() => void) | undefined;
};

/**
 * The reason why a list of events is empty: nothing is watched, the request failed, still searching, no match, missing
 * rights, or no event yet.
 */
export function NoEvents({ filter, isLoading, error, onClearFilter }: NoEventsProps) {
  const words = useWords();
  const { eventList, states } = words;
  const isRecording = useIsOpenRecording();
  const noSight = useNoSight();
  const lacksRights = useLacksRights();
  const isOpen = isOpenFilter(filter);
  if (noSight && (isOpen || isLoading)) return <NotWatching noSight={noSight} />;
  if (error) {
    const { message, hint } = problemFromError(error, words);
    return (
      <EmptyState title={message}>
        <p>{hint}</p>
      </EmptyState>
    );
  }
  if (isLoading) return <EmptyState title={isOpen ? eventList.loading : eventList.searching} />;
  if (!isOpen)
    return (
      <NoMatch
        filter={filter}
        onClearFilter={onClearFilter}
        isWatching={!noSight && !isRecording && filter.to === null}
      />
    );
  if (lacksRights && !isRecording) return <NoneWithRights />;
  return (
    <EmptyState title={isRecording ? states.noLocksRecorded : states.noActivity.everywhere.yet}>
      <p>{isRecording ? states.noLocksRecordedHint : eventList.noneHint}</p>
    </EmptyState>
  );
}

type NoMatchProps = Pick<NoEventsProps, 'filter' | 'onClearFilter'> & { isWatching: boolean };

/** Shown if the server has searched all of its memory and found no match. */
function NoMatch({ filter, onClearFilter, isWatching }: NoMatchProps) {
  const { common, eventList } = useWords();
  const edge = useMemoryEdge();
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
      {onClearFilter && <PartMatches filter={filter} />}
      {edge && <p>{searchedText(edge, eventList)}</p>}
      {isWatching && <p>{eventList.noMatchHint}</p>}
    </EmptyState>
  );
}

function searchedText({ at, isDropped, events }: MemoryEdge, words: Words['eventList']): string {
  const say = isDropped ? words.searchedDropped : words.searched;
  return say(countText(events), secondsText(at));
}

type ListNotesProps = {
  /** Number of events that the server did not send because the page was slow. */
  skipped: number;
  /** Number of loaded events; null if all matching events are loaded. */
  loaded: number | null;
  /** True if the loaded events are around the cursor, false if they are the newest. */
  isOfPast: boolean;
  isSettled: boolean;
  onMore: (() => void) | undefined;
};

/**
 * Notes about what a list leaves out: events that the server did not send, that are not loaded, or that were dropped.
 */
export function ListNotes({ skipped, loaded, isOfPast, isSettled, onMore }: ListNotesProps) {
  const { eventList } = useWords();
  const edge = useMemoryEdge();
  return (
    <p className="list-notes">
      {skipped > 0 && (
        <span>
          <span aria-hidden="true">◐</span> {eventList.skipped(skipped)}
        </span>
      )}
      {loaded !== null && <span>{(isOfPast ? eventList.onlyAround : eventList.onlyNewest)(loaded)}</span>}
      {loaded !== null && onMore && (
        <button type="button" className="button is-small" onClick={onMore}>
          {eventList.loadOlder}
        </button>
      )}
      {loaded !== null && !onMore && !isOfPast && <span>{eventList.leftOut}</span>}
      {loaded === null && isSettled && edge?.isDropped && <span>{eventList.memoryBack(secondsText(edge.at))}</span>}
    </p>
  );
}
