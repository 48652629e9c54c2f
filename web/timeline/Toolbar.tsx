import { millisBetween } from '../../shared/base/time.ts';
import { useCursor } from '../cursor/cursor.ts';
import { Segments } from '../ui/Segments.tsx';
import { countOf, durationText, secondsText } from '../ui/time-text.ts';
import { TIMELINE } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useDesk, useRows, useTimeline } from './desk.ts';

type ToolbarProps = { isTableOnly: boolean; said: string; onCopy: () => void };

/** Live or paused, the way back from each zoom, what is left out, and a link to exactly this view. */
export function Toolbar({ isTableOnly, said, onCopy }: ToolbarProps) {
  const { timeline, actions } = useDesk();
  const isLive = useCursor().mode === 'live';
  const { hiddenCount } = useRows();
  const isIdleCollapsed = useTimeline((state) => state.isIdleCollapsed);
  const isTable = useTimeline((state) => state.isTable);
  const onlyLock = useTimeline((state) => state.onlyLock);
  return (
    <div className="tl-toolbar">
      <button
        type="button"
        className={isLive ? 'button is-small is-primary' : 'button is-small'}
        aria-pressed={isLive}
        title={isLive ? 'Pause (Space)' : 'Go live (Space or End)'}
        onClick={() => (isLive ? timeline.pause() : timeline.goLive())}
      >
        <span aria-hidden="true">{isLive ? '●' : '❚❚'}</span> {isLive ? 'Live' : 'Paused'}
      </button>
      <Breadcrumbs />
      <span className="tl-toolbar-end">
        {onlyLock !== '' && (
          <button type="button" className="button is-small" onClick={() => navigate(TIMELINE)}>
            Show all locks
          </button>
        )}
        {hiddenCount > 0 && (
          <button type="button" className="button is-small" onClick={() => actions.showHidden()}>
            {hiddenCount} hidden · show
          </button>
        )}
        {!isLive && (
          <button
            type="button"
            className="button is-small"
            aria-pressed={isIdleCollapsed}
            onClick={() => timeline.set({ isIdleCollapsed: !isIdleCollapsed })}
          >
            Idle time: {isIdleCollapsed ? 'collapsed' : 'shown'}
          </button>
        )}
        {!isTableOnly && (
          <Segments
            label="Form"
            value={isTable ? 'table' : 'picture'}
            options={[
              { value: 'picture', label: 'Picture' },
              { value: 'table', label: 'Table' },
            ]}
            onChange={(form) => timeline.set({ isTable: form === 'table' })}
          />
        )}
        <button type="button" className="button is-small" title="Copy a link to exactly this view (C)" onClick={onCopy}>
          <span role="status">{said === '' ? 'Copy link' : said}</span>
        </button>
      </span>
    </div>
  );
}

/** The committed zooms: `all › 12:04:00, 60 s › 10 s`. */
function Breadcrumbs() {
  const { timeline, actions } = useDesk();
  const zooms = useTimeline((state) => state.zooms);
  const view = useTimeline((state) => state.view);
  const isLive = useCursor().mode === 'live';
  const span = isLive || view === null ? null : view;
  return (
    <nav className="tl-crumbs" aria-label="Zooms">
      <button type="button" className="link-button" title="Show everything (0)" onClick={() => actions.showAll()}>
        all
      </button>
      {zooms.map((zoom, index) => (
        <span key={`${zoom.from} ${zoom.to}`}>
          {' › '}
          <button
            type="button"
            className="link-button"
            onClick={() => {
              timeline.show(zoom);
              timeline.set({ zooms: zooms.slice(0, index + 1) });
            }}
          >
            {secondsText(zoom.from)}, {durationText(millisBetween(zoom.from, zoom.to))}
          </button>
        </span>
      ))}
      {span && (
        <span className="quiet">
          {' › '}
          {secondsText(span.from)} to {secondsText(span.to)}
        </span>
      )}
    </nav>
  );
}

/** How much came since the view stopped. */
export function GoLivePill() {
  const { timeline } = useDesk();
  const isLive = useCursor().mode === 'live';
  const pausedSeq = useTimeline((state) => state.pausedSeq);
  const since = useTimeline(() => timeline.history.lastSeq - pausedSeq);
  if (isLive) return null;
  return (
    <button type="button" className="go-live tl-go-live" onClick={() => timeline.goLive()}>
      +{countOf(Math.max(0, since), 'event')} · go live
    </button>
  );
}
