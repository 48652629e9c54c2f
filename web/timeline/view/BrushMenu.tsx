import { millisBetween } from '../../../shared/base/time.ts';
import { waitsNow } from '../../cursor/routes-now.ts';
import { durationText } from '../../ui/time-text.ts';
import { EVENTS } from '../../url/route.ts';
import { navigate } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { useTimeline, useWorkspace } from '../store/workspace.ts';
import { RangeTotals } from './RangeTotals.tsx';

/** The length of the brushed range, the actions for it, and what happened in it. */
export function BrushMenu({ onCopy }: { onCopy: () => void }) {
  const { timeline: words, waits } = useWords();
  const { actions, timeline } = useWorkspace();
  const brush = useTimeline((state) => state.brush);
  const onlyLock = useTimeline((state) => state.onlyLock);
  if (!brush) return null;
  const first = timeline.window.events.find((event) => event.at >= brush.from);
  const listEvents = () => navigate({ ...EVENTS, lock: onlyLock, at: first?.at ?? null, selected: first?.seq ?? null });
  return (
    <fieldset className="tl-brush-menu">
      <legend className="only-heard">{words.brush}</legend>
      <b>{durationText(millisBetween(brush.from, brush.to))}</b>
      <button type="button" className="button is-small" onClick={() => actions.zoomToBrush()}>
        {words.zoomIn}
      </button>
      <button type="button" className="button is-small" onClick={listEvents}>
        {words.listEvents}
      </button>
      <button type="button" className="button is-small" onClick={() => navigate(waitsNow(brush))}>
        {waits.open}
      </button>
      <button type="button" className="button is-small" onClick={onCopy}>
        {words.copyLink}
      </button>
      <RangeTotals range={brush} />
    </fieldset>
  );
}
