import { timelineOfAll } from '../../cursor/routes-now.ts';
import { useIsOpenRecording, useLive } from '../../data/live/use-live.ts';
import { useIsDemo } from '../../data/queries/queries.ts';
import type { FeedStatus, WindowFeed } from '../../data/window/window-feed.ts';
import { NoActivity } from '../../parts/NoActivity.tsx';
import { NotWatching, useNoSight } from '../../parts/NotWatching.tsx';
import { EmptyState } from '../../ui/Notice.tsx';
import { secondsText } from '../../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../../ui/visible-text.ts';
import { Link, navigate } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { useTimeline, useWorkspace } from '../store/workspace.ts';
import { JumpTo, useNearest } from './ViewNotice.tsx';

type NoLanesProps = { status: FeedStatus; rowCount: number; feed: WindowFeed | null };

/** Why there are no lanes, for example not read, still loading, all hidden, or not watched. Null if there are lanes. */
export function NoLanes({ status, rowCount, feed }: NoLanesProps) {
  const { states, timeline: words } = useWords();
  const isRecording = useIsOpenRecording();
  const { actions } = useWorkspace();
  const order = useTimeline((state) => state.order);
  const onlyLock = useTimeline((state) => state.onlyLock);
  const isDemo = useIsDemo();
  const link = useLive((state) => state.link);
  const noSight = useNoSight();
  const hasLocks = useLive((state) => state.locks.size > 0);
  if (rowCount > 0) return null;
  if (status === 'failed') {
    return (
      <EmptyState title={words.notRead}>
        <p>{link === 'lost' ? words.notReadLost : words.notReadHint}</p>
      </EmptyState>
    );
  }
  if (status === 'loading') return <LoadingLanes />;
  if (onlyLock !== '') return <NothingOf lock={onlyLock} feed={feed} />;
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
  if (noSight) return <NotWatching noSight={noSight} />;
  if (hasLocks) return <NothingInView feed={feed} />;
  return (
    <NoActivity
      actions={
        isDemo && (
          <Link className="button is-primary" to={{ page: 'demo' }}>
            {words.openDemo}
          </Link>
        )
      }
    >
      <p>{isDemo ? words.noneDemoHint : words.noneHint}</p>
    </NoActivity>
  );
}

/** Locks are known, but the view has none of them: the time of the nearest event. */
function NothingInView({ feed }: { feed: WindowFeed | null }) {
  const words = useWords().timeline;
  const near = useNearest(feed, true);
  return (
    <EmptyState title={words.noneInView} actions={near?.at != null && <JumpTo at={near.at} />}>
      {near?.at != null && <p>{words.nearestAt(secondsText(near.at))}</p>}
    </EmptyState>
  );
}

/** Shown for a lock without anything in the view: a button to its nearest event, or that memory has no event of it. */
function NothingOf({ lock, feed }: { lock: string; feed: WindowFeed | null }) {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const near = useNearest(feed, true);
  const shown = visibleText(cutInMiddle(lock, 80));
  const since = timeline.window.memory === null ? '' : secondsText(timeline.window.memory.oldestAt);
  if (near === null) return <LoadingLanes />;
  return (
    <EmptyState
      title={near.at === null ? words.noEventOf(shown, since) : words.nothingOf(shown)}
      actions={
        <>
          {near.at !== null && <JumpTo at={near.at} />}
          <button type="button" className="button" onClick={() => navigate(timelineOfAll())}>
            {words.showAllLocks}
          </button>
        </>
      }
    >
      {near.at !== null && <p>{words.lastSeenAt(secondsText(near.at))}</p>}
    </EmptyState>
  );
}

/** Placeholders for the lanes until the window has been read. */
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
