import { type PointerEvent, useEffect, useRef } from 'react';
import { redisTime } from '../../../shared/base/time.ts';
import { onCursor } from '../../cursor/cursor.ts';
import { onHoverTime, setHoverTime } from '../../cursor/hover-time.ts';
import { onceIn } from '../../data/live/ticker.ts';
import { endOfSpot } from '../../data/window/blind-spots.ts';
import { currentWords } from '../../words/language.ts';
import { drawMinimap } from '../draw/draw-minimap.ts';
import { problemAt } from '../draw/layers/draw-problem-ticks.ts';
import { inksOf } from '../draw/pen/pen.ts';
import { COLUMN_PX, MinimapTimes } from '../layout/minimap-columns.ts';
import { makeScale, type Scale } from '../layout/scale.ts';
import { shownSources, unwatchedRanges } from '../layout/unwatched.ts';
import { centred, panned } from '../layout/viewport.ts';
import { blindNote } from '../model/blind-note.ts';
import { liveActivityOf } from '../picture/live-activity.ts';
import { BeyondReader } from '../store/beyond-reader.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { useWorkspace } from '../store/workspace.ts';

/** Events are counted again at most four times a second. */
const COUNT_EVERY_MS = 250;
const EDGE_PX = 7;
const NARROWEST_PX = 8;
/** Up to this distance beside a blind spot, its text is shown. */
const NEAR_PX = 2;
/** How often the window follows the time: if an event arrived in the last 3 s, and otherwise. */
const BUSY_EVERY_MS = 100;
const STILL_EVERY_MS = 1000;

/** Everything in memory in one strip, with a window for the view. Drag the window or its edges, or draw a new one. */
export function Minimap() {
  const { actions, timeline } = useWorkspace();
  const strip = useRef<HTMLDivElement>(null);
  const scale = useRef<Scale | null>(null);

  useEffect(() => {
    const root = strip.current;
    const canvas = root?.querySelector('canvas');
    const brush = root?.querySelector<HTMLElement>('.tl-mini-window');
    const hairline = root?.querySelector<HTMLElement>('.tl-hairline');
    if (!root || !canvas || !brush || !hairline) return;
    const times = new MinimapTimes();
    let width = root.clientWidth;
    let drawnAt = 0;
    let key = '';
    const beyond = new BeyondReader(() => place());

    const place = () => {
      const extent = timeline.extent();
      const view = timeline.view();
      const span = { from: redisTime(Math.min(extent.from, view.from)), to: extent.to };
      scale.current = makeScale(span, width);
      const x0 = Math.max(0, scale.current.x(view.from));
      const x1 = Math.min(width, scale.current.x(view.to));
      const wide = Math.max(NARROWEST_PX, x1 - x0);
      const at = `translateX(${Math.round(Math.min(x0, width - wide))}px)`;
      if (brush.style.transform !== at) brush.style.transform = at;
      const widthNow = `${Math.round(wide)}px`;
      if (brush.style.width !== widthNow) brush.style.width = widthNow;
      const theme = document.documentElement.dataset.theme ?? '';
      // all columns move with now: they are counted again when it has moved by one
      const column = Math.floor((scale.current.pxPerMicro * timeline.now()) / COLUMN_PX);
      const { version, loading } = timeline.window;
      const next = [
        version,
        timeline.onlyLock(),
        loading?.reached,
        width,
        theme,
        span.from,
        column,
        beyond.version,
        timeline.problems.length,
      ].join();
      const now = performance.now();
      if (next === key) return;
      if (now - drawnAt < COUNT_EVERY_MS) return;
      key = next;
      drawnAt = now;
      draw(canvas, scale.current);
    };
    const draw = (target: HTMLCanvasElement, shown: Scale) => {
      const ratio = window.devicePixelRatio || 1;
      const height = root.clientHeight;
      target.width = Math.round(shown.width * ratio);
      target.height = Math.round(height * ratio);
      const pen = target.getContext('2d');
      if (!pen) return;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      times.take(timeline.window.events, timeline.window.rebuilds);
      const unknown = timeline.unknownIn(shown.span);
      const dropped = unknown.filter(({ why }) => why === 'dropped' || why === 'before-first');
      const parts = unknown.filter((part) => !dropped.includes(part));
      // the numbers are about all locks: they do not belong beside the events of only one
      const isCounted = parts.length > 0 && timeline.window.onlyLock === '';
      const load = isCounted ? beyond.over(shown.span, Math.floor(shown.width / COLUMN_PX)) : null;
      const columns = times.columns(shown.span, Math.floor(shown.width), load ? { load, parts } : undefined);
      const now = timeline.now();
      const sources = shownSources(timeline.get(), timeline.live.get().sources);
      drawMinimap(pen, inksOf(target, false, currentWords()), columns, {
        scale: shown,
        height,
        unwatched: unwatchedRanges(timeline.blindSpots(), sources, { now, viewTo: shown.span.to }),
        problems: timeline.ticks(),
        unknown: load ? dropped : unknown,
      });
    };
    // reading the width forces a layout, so it is read only when it changes
    const size = new ResizeObserver(() => {
      width = root.clientWidth;
      place();
    });
    size.observe(root);
    let stopFollowing: () => void;
    const follow = () => {
      place();
      stopFollowing = onceIn(liveActivityOf(timeline, null).isBusy ? BUSY_EVERY_MS : STILL_EVERY_MS, follow);
    };
    follow();
    const stops = [
      timeline.subscribe(place),
      onCursor(place),
      onHoverTime((at) => {
        const x = at === null || !scale.current ? -1 : scale.current.x(at);
        hairline.hidden = x < 0 || x > root.clientWidth;
        hairline.style.transform = `translateX(${x}px)`;
      }),
    ];
    return () => {
      stopFollowing();
      beyond.end();
      size.disconnect();
      for (const stop of stops) stop();
    };
  }, [timeline]);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const shown = scale.current;
    if (event.button !== 0 || !shown) return;
    event.preventDefault();
    const left = event.currentTarget.getBoundingClientRect().left;
    const start = event.clientX - left;
    const before = timeline.view();
    const [x0, x1] = [shown.x(before.from), shown.x(before.to)];
    const part = partAt(start, x0, x1);
    const stop = new AbortController();
    let isNoted = part === 'window'; // dragging the window is panning, which is not undone
    const onMove = (move: globalThis.PointerEvent) => {
      if (move.buttons === 0) return stop.abort();
      const x = Math.min(shown.width, Math.max(0, move.clientX - left));
      if (part === 'window') return timeline.show(panned(before, (x - start) / shown.pxPerMicro));
      const fixed = part === 'from' ? x1 : part === 'to' ? x0 : start;
      if (Math.abs(x - fixed) < 3) return;
      if (!isNoted) actions.noteView();
      isNoted = true;
      const [a, b] = [shown.at(Math.min(x, fixed)), shown.at(Math.max(x, fixed))];
      timeline.show({ from: redisTime(Math.round(a)), to: redisTime(Math.round(b)) });
    };
    const onUp = (up: globalThis.PointerEvent) => {
      stop.abort();
      // a click outside the window centres the window there
      if (part !== 'outside' || Math.abs(up.clientX - left - start) >= 3) return;
      const tick = problemAt(timeline.ticks(), shown, start);
      if (tick) actions.showProblem(tick);
      else actions.jump(centred(before, shown.at(start)));
    };
    window.addEventListener('pointermove', onMove, { signal: stop.signal });
    window.addEventListener('pointerup', onUp, { signal: stop.signal });
    window.addEventListener('pointercancel', () => stop.abort(), { signal: stop.signal });
  };

  return (
    <div
      className="tl-minimap"
      ref={strip}
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
        if (!scale.current) return;
        setHoverTime(redisTime(Math.round(scale.current.at(x))));
        event.currentTarget.title = unwatchedText(timeline, scale.current, x);
      }}
      onPointerLeave={() => setHoverTime(null)}
    >
      <canvas />
      <div className="tl-hairline" hidden />
      <div className="tl-mini-window">
        <i />
        <i />
      </div>
    </div>
  );
}

/**
 * Which of the shown sources were not watched at the pixel `x`, in sentences. Screen readers get the same from the notes
 * of the table.
 */
function unwatchedText(timeline: TimelineStore, { at, span }: Scale, x: number): string {
  const [from, to] = [at(x - NEAR_PX), at(x + NEAR_PX)];
  const sources = shownSources(timeline.get(), timeline.live.get().sources);
  return timeline
    .blindSpots()
    .filter((spot) => sources.has(spot.source) && spot.from <= to && endOfSpot(spot, timeline.now(), span.to) >= from)
    .map((spot) => blindNote(spot, currentWords().timeline.notes))
    .join('\n');
}

function partAt(x: number, x0: number, x1: number): 'from' | 'to' | 'window' | 'outside' {
  if (Math.abs(x - x0) <= EDGE_PX && x1 - x0 > EDGE_PX * 3) return 'from';
  if (Math.abs(x - x1) <= EDGE_PX && x1 - x0 > EDGE_PX * 3) return 'to';
  return x >= x0 - EDGE_PX && x <= x1 + EDGE_PX ? 'window' : 'outside';
}
