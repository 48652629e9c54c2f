import { useEffect, useState } from 'react';
import { millisBetween, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { useCursor } from '../../cursor/cursor.ts';
import { WINDOW_CAP } from '../../data/window/event-window.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import type { WindowFeed } from '../../data/window/window-feed.ts';
import { durationText, secondsText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { isInView } from '../layout/quiet.ts';
import type { UnknownRange } from '../layout/unknown-ranges.ts';
import { centred } from '../layout/viewport.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { useHistoryVersion, useRows, useTimeline, useWorkspace } from '../store/workspace.ts';

/** The server is asked about a view after it has not moved for this long. */
const NOTICE_AFTER_MS = 300;

/** The time of the event nearest to `view`; `at` is null if the server has none. Null: not known, or not wanted. */
export function useNearest(
  feed: WindowFeed | null,
  isWanted: boolean,
): { at: RedisTime | null; view: TimeSpan } | null {
  const { timeline } = useWorkspace();
  const [near, setNear] = useState<{ at: RedisTime | null; view: TimeSpan } | null>(null);
  const { from, to } = timeline.view();
  // the live view always moves, so the server is asked only once
  const key = timeline.isLive() ? 'live' : `${from} ${to}`;
  useEffect(() => {
    if (!feed || !isWanted) return;
    let isOver = false;
    const view = timeline.view();
    const timer = window.setTimeout(() => {
      feed.around(view).then(
        ({ before, after }) => isOver || setNear({ at: nearest(view, before, after), view }),
        () => isOver || setNear(null),
      );
    }, NOTICE_AFTER_MS);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [feed, isWanted, key, timeline]);
  return isWanted ? near : null;
}

function nearest(view: TimeSpan, before: RedisTime | null, after: RedisTime | null): RedisTime | null {
  if (before === null || after === null) return before ?? after;
  return view.from - before <= after - view.to ? before : after;
}

/** A button that moves the view to an instant, without changing its length. */
export function JumpTo({ at }: { at: RedisTime }) {
  const words = useWords().timeline;
  const { actions, timeline } = useWorkspace();
  const jump = () => {
    actions.jump(centred(timeline.view(), at));
    timeline.pause(at);
  };
  return (
    <button type="button" className="button is-small is-primary" onClick={jump}>
      {words.jumpThere}
    </button>
  );
}

/** Why the view, or a part of it, is empty: no events, not loaded, or dropped. With a button to the nearest content. */
export function ViewNotice({ feed }: { feed: WindowFeed | null }) {
  const { timeline } = useWorkspace();
  const isLive = useCursor().mode === 'live';
  const view = useTimeline((state) => state.view);
  useHistoryVersion();
  const unknown = useTimeline(() => keyOf(timeline));
  if (isLive || view === null || timeline.window.from === null) return null;
  const parts = unknown === '' ? [] : timeline.unknownIn(view);
  const dropped = parts.find(({ why }) => why === 'dropped' || why === 'before-first');
  if (dropped && dropped.to >= view.to && timeline.window.memory)
    return <Forgotten at={timeline.window.memory.oldestAt} />;
  const unread = parts.find(({ why }) => why === 'unloaded');
  if (unread) return <NotLoaded part={unread} />;
  if (parts.some(({ why }) => why === 'loading' || why === 'failed')) return null;
  return <NothingHere feed={feed} view={view} />;
}

/** A key of the unknown parts of the view: it changes when they do, at most every second for a part that ends now. */
function keyOf(timeline: TimelineStore): string {
  if (timeline.isLive()) return '';
  return timeline
    .unknownIn(timeline.view())
    .map(({ why, from, to }) => `${why} ${from} ${Math.floor(to / 1_000_000)}`)
    .join();
}

function Forgotten({ at }: { at: RedisTime }) {
  const { marks } = useWords();
  return (
    <div className="tl-nothing" role="status">
      <p>{marks.label.memoryBack(secondsText(at))}</p>
      <JumpTo at={at} />
    </div>
  );
}

/** Shown once the part stays unread: right after a jump, reading it has not begun yet. */
function NotLoaded({ part }: { part: UnknownRange }) {
  const words = useWords().timeline;
  const { actions } = useWorkspace();
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setOverdue(true), NOTICE_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  if (!isOverdue) return null;
  const middle = redisTime(Math.round((part.from + part.to) / 2));
  return (
    <div className="tl-nothing is-below" role="status">
      <p>{words.notLoaded(secondsText(part.from), secondsText(part.to), WINDOW_CAP)}</p>
      <button type="button" className="button is-small is-primary" onClick={() => actions.putCursor(middle)}>
        {words.loadThere}
      </button>
    </div>
  );
}

function NothingHere({ feed, view }: { feed: WindowFeed | null; view: TimeSpan }) {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const { rows } = useRows();
  const now = timeline.now();
  const isEmpty =
    rows.length > 0 &&
    !rows.some((row) => row.kind === 'quiet' && !row.isOpen && hasQuietLocks(timeline, view, now)) &&
    rows.every((row) => row.kind !== 'lock' || !isInView(timeline, row.lockId, view, now));
  const near = useNearest(feed, isEmpty);
  if (!isEmpty || near?.at == null || near.view.from !== view.from || near.view.to !== view.to) return null;
  const isEarlier = near.at < view.from;
  const length = isEarlier ? millisBetween(near.at, view.from) : millisBetween(view.to, near.at);
  const say = isEarlier ? words.nothingEarlier : words.nothingLater;
  return (
    <div className="tl-nothing" role="status">
      <p>{say(secondsText(view.from), secondsText(view.to), durationText(length))}</p>
      <JumpTo at={near.at} />
    </div>
  );
}

function hasQuietLocks(timeline: TimelineStore, view: TimeSpan, now: RedisTime): boolean {
  return [...timeline.get().quiet].some((id) => isInView(timeline, id, view, now));
}
