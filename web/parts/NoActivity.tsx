import type { ReactNode } from 'react';
import { isWatched } from '../../shared/wire/watched.ts';
import { useLive } from '../data/live/use-live.ts';
import { type Unwatched, useUnwatched } from '../data/queries/unwatched.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { useLacksRights } from './use-missing.ts';

/** More unwatched times than this are only counted. */
const MOST_TIMES = 3;

/**
 * Shown instead of locks if none is known: that rights are missing, or since when there was no activity, and which
 * times were not watched.
 */
export function NoActivity({ actions, children }: { actions?: ReactNode; children?: ReactNode }) {
  const unwatched = useUnwatched();
  const isWhole = useLive((state) => state.sources.every((source) => source.ended || isWatched(source)));
  const lacksRights = useLacksRights();
  if (lacksRights) return <NoneWithRights />;
  return (
    <NoActivityIn unwatched={unwatched} isWhole={isWhole} actions={actions}>
      {children}
    </NoActivityIn>
  );
}

/**
 * Shown instead of locks or events if none is known, and the Redis user of a source has no right to see all of them.
 */
export function NoneWithRights() {
  const { overview } = useWords();
  return (
    <EmptyState title={overview.noneWithRights}>
      <p>{overview.untilRights}</p>
    </EmptyState>
  );
}

type NoActivityProps = {
  /** Undefined: not known yet. */
  unwatched: Unwatched | undefined;
  /** True if every source is watched now. */
  isWhole: boolean;
  actions?: ReactNode;
  children?: ReactNode;
};

export function NoActivityIn({ unwatched, isWhole, actions, children }: NoActivityProps) {
  const { noActivity } = useWords().states;
  const words = isWhole ? noActivity.everywhere : noActivity.whereWatched;
  const since = unwatched?.since;
  const title = since === undefined ? words.unknown : since === null ? words.yet : words.since(secondsText(since));
  return (
    <EmptyState title={title} actions={actions}>
      {unwatched && <UnwatchedNotes unwatched={unwatched} />}
      {children}
    </EmptyState>
  );
}

function UnwatchedNotes({ unwatched: { times, droppedTo } }: { unwatched: Unwatched }) {
  const { states } = useWords();
  return (
    <>
      {times.slice(0, MOST_TIMES).map(({ source, from, to }) => (
        <p key={`${source} ${from}`}>{states.notes.blind(source, secondsText(from), secondsText(to))}</p>
      ))}
      {times.length > MOST_TIMES && <p>{states.noActivity.moreTimes(times.length - MOST_TIMES)}</p>}
      {droppedTo !== null && <p>{states.notes.dropped(secondsText(droppedTo))}</p>}
    </>
  );
}
