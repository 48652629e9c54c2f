import { type LucideIcon, Maximize2, ScanSearch, StepBack, StepForward } from 'lucide-react';
import { millisBetween } from '../../../shared/base/time.ts';
import { useCursor } from '../../cursor/cursor.ts';
import { timelineOfAll } from '../../cursor/routes-now.ts';
import { useIsOpenRecording } from '../../data/live/use-live.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { keyOf, type TimelineKey } from '../../keys/key-map.ts';
import { useNoSight } from '../../parts/NotWatching.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { clockText, durationText, millisText, secondsText } from '../../ui/time-text.ts';
import { navigate } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { isSameSpan } from '../layout/viewport.ts';
import { useHistoryVersion, useRows, useTimeline, useWorkspace } from '../store/workspace.ts';
import { ShareTimeline } from './ShareTimeline.tsx';

type ToolbarProps = { isTableOnly: boolean; notice: string };

/**
 * The toolbar: live or paused, where to zoom, the breadcrumbs of zooms, filters, picture or table, and the menu to
 * share this view.
 */
export function Toolbar({ isTableOnly, notice }: ToolbarProps) {
  const { common, states, timeline: words } = useWords();
  const { timeline, actions } = useWorkspace();
  const isRecording = useIsOpenRecording();
  const isLive = useCursor().mode === 'live';
  const noSight = useNoSight();
  const { hiddenCount } = useRows();
  const isIdleCollapsed = useTimeline((state) => state.isIdleCollapsed);
  const isTable = useTimeline((state) => state.isTable);
  const onlyLock = useTimeline((state) => state.onlyLock);
  return (
    <div className="tl-toolbar">
      {isRecording ? (
        <button type="button" className="button is-small" title={states.recordingMeaning} onClick={timeline.goLive}>
          {states.atEnd}
        </button>
      ) : (
        <button
          type="button"
          className={isLive && !noSight ? 'button is-small is-primary' : 'button is-small'}
          aria-pressed={isLive}
          title={common.withKey(isLive ? words.pause : words.goLive, keyOf('pause'))}
          onClick={() => (isLive ? timeline.pause() : timeline.goLive())}
        >
          <span aria-hidden="true">{isLive ? (noSight ? '○' : '●') : '❚❚'}</span>{' '}
          {isLive ? (noSight ? words.notWatching : words.live) : words.paused}
        </button>
      )}
      <ZoomTo />
      <Breadcrumbs />
      <span className="tl-toolbar-end">
        {onlyLock !== '' && (
          <button type="button" className="button is-small" onClick={() => navigate(timelineOfAll())}>
            {words.showAllLocks}
          </button>
        )}
        {hiddenCount > 0 && (
          <button type="button" className="button is-small" onClick={() => actions.showHidden()}>
            {words.hidden(hiddenCount)}
          </button>
        )}
        {!isLive && (
          <button
            type="button"
            className="button is-small"
            aria-pressed={isIdleCollapsed}
            onClick={() => timeline.set({ isIdleCollapsed: !isIdleCollapsed })}
          >
            {isIdleCollapsed ? words.idleCollapsed : words.idleShown}
          </button>
        )}
        {!isTableOnly && (
          <Segments
            label={words.form}
            value={isTable ? 'table' : 'picture'}
            options={[
              { value: 'picture', label: words.forms.picture },
              { value: 'table', label: words.forms.table },
            ]}
            onChange={(form) => timeline.set({ isTable: form === 'table' })}
          />
        )}
        <span role="status" className="quiet">
          {notice}
        </span>
        <ShareTimeline />
      </span>
    </div>
  );
}

/** Zooms to everything in memory, to the selection, and to the problems before and after the cursor. */
function ZoomTo() {
  const words = useWords().timeline;
  const { timeline, actions } = useWorkspace();
  useHistoryVersion();
  const hasSelection = useTimeline((state) => state.selected !== null);
  const hasProblems = timeline.ticks().length > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
    <span role="group" className="tl-zoom-to" aria-label={words.zoomTo}>
      <ZoomButton
        label={words.showEverything}
        icon={Maximize2}
        shortcut="all"
        onClick={() => actions.showEverything()}
      />
      <ZoomButton
        label={words.toSelection}
        icon={ScanSearch}
        shortcut="zoom-to"
        isOff={!hasSelection}
        onClick={() => actions.fitSelection()}
      />
      <ZoomButton
        label={words.toProblemBefore}
        icon={StepBack}
        shortcut="problem-before"
        isOff={!hasProblems}
        onClick={() => actions.toProblem(-1)}
      />
      <ZoomButton
        label={words.toProblemAfter}
        icon={StepForward}
        shortcut="problem-after"
        isOff={!hasProblems}
        onClick={() => actions.toProblem(1)}
      />
    </span>
  );
}

type ZoomButtonProps = {
  label: string;
  icon: LucideIcon;
  shortcut: TimelineKey;
  isOff?: boolean;
  onClick: () => void;
};

function ZoomButton({ label, icon, shortcut, isOff = false, onClick }: ZoomButtonProps) {
  const { common } = useWords();
  return (
    <button
      type="button"
      className="button is-small is-quiet"
      aria-label={label}
      title={common.withKey(label, keyOf(shortcut))}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  );
}

/** The committed zooms and the view: `12:04:00 · 60 s › 12:04:31 · 10 s`. */
function Breadcrumbs() {
  const words = useWords().timeline;
  const { actions } = useWorkspace();
  const zooms = useTimeline((state) => state.zooms);
  const view = useTimeline((state) => state.view);
  const isLive = useCursor().mode === 'live';
  const span = isLive || view === null ? null : view;
  if (zooms.length === 0 && span === null) return null;
  return (
    <nav className="tl-crumbs" aria-label={words.zooms}>
      {zooms.map((zoom, index) => (
        <span key={`${zoom.from} ${zoom.to}`}>
          {index > 0 && ' › '}
          <button type="button" className="link-button" onClick={() => actions.jump(zoom, zooms.slice(0, index + 1))}>
            {rangeText(zoom)}
          </button>
        </span>
      ))}
      {span && !isSameSpan(zooms.at(-1) ?? null, span) && (
        <span className="quiet">
          {zooms.length > 0 && ' › '}
          {rangeText(span)}
        </span>
      )}
    </nav>
  );
}

/** Where a range begins, as exactly as its length needs, and its length: `00:44:19.418 · 260 µs`. */
function rangeText({ from, to }: TimeSpan): string {
  const ms = millisBetween(from, to);
  const clock = ms >= 10_000 ? secondsText(from) : ms >= 10 ? millisText(from) : clockText(from);
  return `${clock} · ${durationText(ms)}`;
}

/** The number of events since the timeline was paused; a click goes live. */
export function GoLivePill() {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const isLive = useCursor().mode === 'live';
  const pausedSeq = useTimeline((state) => state.pausedSeq);
  const since = useTimeline(() => timeline.live.get().seq - pausedSeq);
  const isRecording = useIsOpenRecording();
  if (isLive || isRecording) return null;
  return (
    <button type="button" className="go-live tl-go-live" onClick={() => timeline.goLive()}>
      {words.eventsSince(Math.max(0, since))}
    </button>
  );
}
