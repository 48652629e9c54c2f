import { useContext, useEffect, useRef, useState } from 'react';
import { useChoice } from '../../choices/use-choice.ts';
import { wheel } from '../../choices/wheel.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import { GivenLetters } from '../../parts/people.ts';
import { useWords } from '../../words/language.ts';
import type { Hit } from '../draw/lanes/hit-test.ts';
import { listenToGestures } from '../input/gestures.ts';
import type { VerdictMark } from '../model/verdict-marks.ts';
import { Picture } from '../picture/picture.ts';
import { useTimeline, useWorkspace } from '../store/workspace.ts';
import { BrushMenu } from './BrushMenu.tsx';
import { BlindSpotTip, MarkTip, type ProblemTip, type SpotTip, type Tip, VerdictTip } from './MarkTip.tsx';

const TIP_AFTER_MS = 150;
/** A tooltip opens without delay if another one closed less than this long ago. */
const TIP_AGAIN_MS = 300;

type PlotProps = {
  scroller: HTMLElement;
  isSpaceHeld: () => boolean;
  onCopy: () => void;
};

/** The picture: two canvases, hidden from screen readers; above them cursor, hairline, brush and tooltip. */
export function Plot({ scroller, isSpaceHeld, onCopy }: PlotProps) {
  const words = useWords().timeline;
  const wheelStyle = useChoice(wheel);
  const { timeline, rows, actions } = useWorkspace();
  const plot = useRef<HTMLDivElement>(null);
  const tipTimes = useRef({ timer: 0, closedAt: 0 });
  const [tip, setTip] = useState<Tip | SpotTip | ProblemTip | null>(null);
  const [hint, setHint] = useState<'new' | 'shown' | 'known'>('new');
  const letters = useContext(GivenLetters);
  const hasBrush = useTimeline((state) => state.brush !== null);

  useEffect(() => {
    const root = plot.current;
    if (!root) return;
    const part = <T extends Element>(name: string): T => {
      const found = root.querySelector<T>(`[data-part="${name}"]`);
      if (!found) throw new Error(`the plot has no part ${name}`);
      return found;
    };
    const picture = new Picture(timeline, rows, {
      scroller,
      lanes: part('lanes'),
      top: part('top'),
      cursor: part('cursor'),
      hairline: part('hairline'),
      brush: part('brush'),
      ring: part('ring'),
      causeArrow: part('cause-arrow'),
      effectArrow: part('effect-arrow'),
    });
    const times = tipTimes.current;
    const onHover = (hit: Hit | null, x: number, y: number, other: BlindSpot | VerdictMark | null) => {
      window.clearTimeout(times.timer);
      setTip((open) => {
        if (open) times.closedAt = performance.now();
        return null;
      });
      const track = hit?.row.track;
      const next =
        hit && track ? { track, mark: hit.mark, count: hit.count, x, y } : other && { ...tipOf(other), x, y };
      if (!next) return;
      const show = () => setTip(next);
      if (performance.now() - times.closedAt < TIP_AGAIN_MS) show();
      else times.timer = window.setTimeout(show, TIP_AFTER_MS);
    };
    const stop = listenToGestures(root, picture, actions, {
      onHover,
      onPlainWheel: () => setHint((last) => (last === 'new' ? 'shown' : last)),
      onZoomed: () => setHint('known'),
      isSpaceHeld,
    });
    return () => {
      window.clearTimeout(times.timer);
      stop();
      picture.end();
    };
  }, [timeline, rows, actions, scroller]);

  useEffect(() => {
    timeline.givenLetters = letters;
    timeline.touch();
  }, [timeline, letters]);

  useEffect(() => {
    if (hint !== 'shown') return;
    const timer = window.setTimeout(() => setHint('known'), 4000);
    return () => window.clearTimeout(timer);
  }, [hint]);

  return (
    <div className="tl-plot" ref={plot}>
      <div className="tl-canvases" aria-hidden="true">
        <canvas data-part="lanes" />
        <canvas data-part="top" />
      </div>
      <div data-part="hairline" className="tl-hairline" aria-hidden="true" hidden />
      <div data-part="cursor" className="tl-cursor" aria-hidden="true" hidden />
      <div data-part="brush" className="tl-brush" aria-hidden="true" hidden />
      <div data-part="ring" className="tl-ring" aria-hidden="true" hidden />
      <svg className="tl-arrows" aria-hidden="true">
        <defs>
          <marker id="tl-arrow-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        <path data-part="cause-arrow" markerEnd="url(#tl-arrow-head)" />
        <path data-part="effect-arrow" markerEnd="url(#tl-arrow-head)" />
      </svg>
      {hasBrush && <BrushMenu onCopy={onCopy} />}
      {tip &&
        ('spot' in tip ? (
          <BlindSpotTip tip={tip} />
        ) : 'problem' in tip ? (
          <VerdictTip tip={tip} />
        ) : (
          <MarkTip tip={tip} />
        ))}
      {hint === 'shown' && <p className="tl-hint">{words.hint[wheelStyle]}</p>}
    </div>
  );
}

function tipOf(other: BlindSpot | VerdictMark): { spot: BlindSpot } | { problem: VerdictMark } {
  return 'insight' in other ? { problem: other } : { spot: other };
}
