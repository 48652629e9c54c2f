import { millisBetween } from '../../shared/base/time.ts';
import { useCursor } from '../cursor/cursor.ts';
import { timelineOfAll } from '../cursor/routes-now.ts';
import { useHealth } from '../data/queries.ts';
import { useIsOpenRecording, useLive } from '../data/use-live.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { durationText, secondsText } from '../ui/time-text.ts';
import { Link, navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { useDesk, useHistoryVersion, useTimeline } from './desk.ts';
import type { FeedStatus } from './feed-history.ts';
import { firstFrom } from './search.ts';
import { fitted } from './viewport.ts';

/** Why there is no lane at all: still loading, nothing happened yet, or filtered away. Null when there are lanes. */
export function NoLanes({ status, rowCount }: { status: FeedStatus; rowCount: number }) {
  const { states, timeline: words } = useWords();
  const isRecording = useIsOpenRecording();
  const { actions } = useDesk();
  const order = useTimeline((state) => state.order);
  const onlyLock = useTimeline((state) => state.onlyLock);
  const isDemo = useHealth().data?.demo === true;
  const link = useLive((state) => state.link);
  if (rowCount > 0) return null;
  if (status === 'failed') {
    return (
      <EmptyState title={words.notRead}>
        <p>{link === 'lost' ? words.notReadLost : words.notReadHint}</p>
      </EmptyState>
    );
  }
  if (status === 'loading') return <LoadingLanes />;
  if (order.length > 0 && onlyLock !== '') {
    return (
      <EmptyState
        title={words.noEventOf(onlyLock.slice(0, 80))}
        actions={
          <button type="button" className="button is-primary" onClick={() => navigate(timelineOfAll())}>
            {words.showAllLocks}
          </button>
        }
      >
        <p>{words.otherLocks(order.length)}</p>
      </EmptyState>
    );
  }
  if (order.length > 0) {
    return (
      <EmptyState
        title={words.allHidden}
        actions={
          <button type="button" className="button is-primary" onClick={() => actions.showHidden()}>
            {words.showThem}
          </button>
        }
      />
    );
  }
  if (isRecording) {
    return (
      <EmptyState title={states.noLocksRecorded}>
        <p>{states.noLocksRecordedHint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={words.none}
      actions={
        isDemo && (
          <Link className="button is-primary" to={{ page: 'demo' }}>
            {words.openDemo}
          </Link>
        )
      }
    >
      <p>{isDemo ? words.noneDemoHint : words.noneHint}</p>
    </EmptyState>
  );
}

/** Lanes to come: their places stand still until the history is there. */
function LoadingLanes() {
  const words = useWords().timeline;
  return (
    <div className="tl-loading">
      <p role="status">{words.loading}</p>
      {SKELETON_WIDTHS.map((width) => (
        <span key={width} className="tl-skeleton" style={{ width }} aria-hidden="true" />
      ))}
    </div>
  );
}

const SKELETON_WIDTHS = ['72%', '38%', '55%', '64%', '27%'];

/** Nothing in this stretch of time, with the way to where something is. */
export function NothingHere() {
  const words = useWords().timeline;
  const { timeline } = useDesk();
  const isLive = useCursor().mode === 'live';
  const view = useTimeline((state) => state.view);
  useHistoryVersion();
  if (isLive || view === null) return null;
  const { events } = timeline.history;
  const next = firstFrom(events, view.from, (event) => event.at);
  const after = events[next];
  if (events.length === 0 || (after && after.at <= view.to)) return null;
  if (hasOpenSpan(timeline, view)) return null;
  const before = events[next - 1];
  const toBefore = before ? millisBetween(before.at, view.from) : Number.POSITIVE_INFINITY;
  const toAfter = after ? millisBetween(view.to, after.at) : Number.POSITIVE_INFINITY;
  const nearest = toBefore <= toAfter ? before : after;
  if (!nearest) return null;
  const say = nearest === before ? words.nothingEarlier : words.nothingLater;
  const length = view.to - view.from;
  return (
    <div className="tl-nothing" role="status">
      <p>{say(secondsText(view.from), secondsText(view.to), durationText(Math.min(toBefore, toAfter)))}</p>
      <button
        type="button"
        className="button is-small is-primary"
        onClick={() => timeline.show(fitted(nearest.at - length / 2, nearest.at + length / 2, 0))}
      >
        {words.jumpThere}
      </button>
    </div>
  );
}

type Desk = ReturnType<typeof useDesk>;

/** A hold may last through a view without any event in it. */
function hasOpenSpan(timeline: Desk['timeline'], view: { from: number; to: number }): boolean {
  for (const id of timeline.get().open) {
    for (const lane of timeline.history.track(id, Date.now())?.lanes ?? []) {
      const last = lane.spans[firstFrom(lane.spans, view.from, (span) => span.from) - 1];
      if (last && (last.to === null ? timeline.now() > view.from : last.to > view.from)) return true;
    }
  }
  return false;
}
