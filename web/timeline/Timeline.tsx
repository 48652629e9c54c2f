import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { openRecordingOf } from '../data/live/open-recording.ts';
import { useLive, useLiveStore } from '../data/live/use-live.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';
import { useMemoryEdge } from '../data/queries/queries.ts';
import { type FeedStatus, WindowFeed } from '../data/window/window-feed.ts';
import { ANSWER_MS } from '../data/window/window-request.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { type LinkTrouble, TIMELINE, type TimelineRoute } from '../url/route.ts';
import { hrefOf } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { useTimelineKeys } from './input/use-timeline-keys.ts';
import { RULER_PX } from './layout/metrics.ts';
import { readGone } from './store/gone-clients.ts';
import { exactLinkOf, type LinkOutcome, useTimelineLink } from './store/use-timeline-link.ts';
import { useRows, useTimeline, useWorkspace, WorkspaceContext, workspaceOf } from './store/workspace.ts';
import { CursorPanel } from './view/CursorPanel.tsx';
import { NoLanes } from './view/EmptyTimeline.tsx';
import { LaneNames } from './view/LaneNames.tsx';
import { MarkTable } from './view/MarkTable.tsx';
import { Minimap } from './view/Minimap.tsx';
import { Plot } from './view/Plot.tsx';
import { SelectionBar } from './view/SelectionBar.tsx';
import { GoLivePill, Toolbar } from './view/Toolbar.tsx';
import { ViewNotice } from './view/ViewNotice.tsx';

/** Below this width there is no room for the picture: the table replaces it. */
const NARROW = window.matchMedia('(max-width: 40rem)');

/** The timeline page: lanes, minimap, the state at the cursor, and one sentence about the selection. */
export function Timeline({ route }: { route: TimelineRoute }) {
  const workspace = workspaceOf(useLiveStore());
  const { timeline } = workspace;
  const [status, setStatus] = useState<FeedStatus>('loading');
  const [feed, setFeed] = useState<WindowFeed | null>(null);
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null);
  const [trouble, forgetTrouble] = useLinkTrouble(route);
  const isConnected = useLive((state) => state.snapshotCount > 0);
  useEffect(() => {
    const begun = new WindowFeed(timeline.live, timeline, setStatus);
    setFeed(begun);
    // without a response, only holders of current locks are known to be gone
    readGone(timeline, AbortSignal.timeout(ANSWER_MS)).then(
      () => timeline.touch(),
      () => undefined,
    );
    return () => begun.end();
  }, [timeline]);
  const problems = useProblemLog();
  useEffect(() => {
    if (!problems) return;
    timeline.problems = problems;
    timeline.touch();
  }, [timeline, problems]);
  const edge = useMemoryEdge();
  useEffect(() => {
    if (edge) timeline.setMemory({ oldestAt: redisTime(edge.at), hasDropped: edge.isDropped });
  }, [timeline, edge]);
  useTimelineLink(workspace, route, status !== 'loading' && isConnected ? feed : null, setOutcome);

  return (
    <WorkspaceContext value={workspace}>
      <LinkNotices
        route={trouble}
        onRead={forgetTrouble}
        forgotten={outcome ?? 'shown'}
        memoryFrom={timeline.window.memory?.oldestAt ?? null}
        onClose={() => setOutcome('shown')}
        onLive={() => {
          timeline.goLive();
          setOutcome('shown');
        }}
      />
      <Board status={status} feed={feed} isSettled={outcome !== null} />
    </WorkspaceContext>
  );
}

/** What could not be shown of the last link. It stays shown when the URL follows the view. */
function useLinkTrouble({ broken, elsewhere }: TimelineRoute): [LinkTrouble, () => void] {
  const [parts, setParts] = useState(broken ?? []);
  const [place, setPlace] = useState(elsewhere);
  const brokenNow = broken?.join() ?? '';
  useEffect(() => {
    if (brokenNow !== '') setParts(brokenNow.split(','));
  }, [brokenNow]);
  useEffect(() => {
    if (elsewhere !== undefined) setPlace(elsewhere);
  }, [elsewhere]);
  // until the first snapshot, a link into the open recording seems to lead elsewhere
  const openName = useLive((state) => openRecordingOf(state.sources)?.name);
  const forget = () => {
    setParts([]);
    setPlace(undefined);
  };
  return [{ broken: parts, ...(place === undefined || place === openName ? {} : { elsewhere: place }) }, forget];
}

type BoardProps = { status: FeedStatus; feed: WindowFeed | null; isSettled: boolean };

/** Input is disabled until the state from the URL is applied, which would overwrite it. */
function Board({ status, feed, isSettled }: BoardProps) {
  const { common, timeline: words } = useWords();
  const workspace = useWorkspace();
  const { timeline, actions } = workspace;
  const { rows, height } = useRows();
  const isTable = useTimeline((state) => state.isTable);
  const isNarrow = useSyncExternalStore(onNarrow, () => NARROW.matches);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [notice, showNotice] = useNotice();

  const copy = () => {
    const href = hrefOf({ ...TIMELINE, link: exactLinkOf(workspace) });
    const copying = navigator.clipboard?.writeText(window.location.origin + href);
    if (copying === undefined) showNotice(words.copyByHand);
    else
      copying.then(
        () => showNotice(common.copied),
        () => showNotice(words.copyByHand),
      );
  };
  const closeOne = () => {
    const state = timeline.get();
    if (state.brush) timeline.set({ brush: null });
    else if (state.areLinesOpen) timeline.set({ areLinesOpen: false });
    else if (state.selected !== null) actions.clearSelection();
    else return false;
    return true;
  };
  const isSpaceHeld = useTimelineKeys({ onCopy: copy, onEscape: closeOne });

  return (
    <div className="tl-board" inert={!isSettled}>
      <Toolbar isTableOnly={isNarrow} notice={notice} />
      {!isNarrow && <Minimap />}
      <div className="tl-main">
        <ErrorBoundary what={common.theTimeline}>
          {isTable || isNarrow ? (
            <MarkTable />
          ) : (
            <div className="tl-scroller" ref={setScroller}>
              <div className="tl-content" style={{ height: height + RULER_PX }}>
                {scroller && <LaneNames scroller={scroller} />}
                {scroller && <Plot scroller={scroller} isSpaceHeld={isSpaceHeld} onCopy={copy} />}
                <div className="tl-corner" />
              </div>
              <div className="tl-empty">
                <NoLanes status={status} rowCount={rows.length} feed={feed} />
              </div>
            </div>
          )}
          <ViewNotice feed={feed} />
          <GoLivePill />
        </ErrorBoundary>
        <CursorPanel />
      </div>
      <SelectionBar />
    </div>
  );
}

function onNarrow(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Returns a text and the function that shows another text for 2 s. */
function useNotice(): [string, (text: string) => void] {
  const [notice, setNotice] = useState('');
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const say = (text: string) => {
    setNotice(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setNotice(''), 2000);
  };
  return [notice, say];
}
