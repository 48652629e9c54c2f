import { redisTime } from '../../../shared/base/time.ts';
import { wheel } from '../../choices/wheel.ts';
import { setHoverTime } from '../../cursor/hover-time.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import { type Hit, hitTest, rowAt } from '../draw/lanes/hit-test.ts';
import { blindSpotAt } from '../draw/layers/draw-blind.ts';
import { problemAt as tickAt } from '../draw/layers/draw-problem-ticks.ts';
import { verdictAt } from '../draw/layers/draw-verdicts.ts';
import { RULER_PX } from '../layout/metrics.ts';
import type { VerdictMark } from '../model/verdict-marks.ts';
import type { Picture } from '../picture/picture.ts';
import type { TimelineActions } from '../store/actions.ts';

/** A shorter movement is a click, a longer one is a drag. */
const DRAG_PX = 5;
/** How fast the wheel zooms: the factor is `exp(pixels × rate)`. */
const WHEEL_RATE = 0.0022;

type GestureHandlers = {
  /** What is under the pointer has changed; `x`, `y` are from the plot's top left corner. */
  readonly onHover: (hit: Hit | null, x: number, y: number, other: BlindSpot | VerdictMark | null) => void;
  /** The wheel was turned and neither zoomed nor panned. */
  readonly onPlainWheel: () => void;
  readonly onZoomed: () => void;
  readonly isSpaceHeld: () => boolean;
};

type Drag = { kind: 'brush' | 'pan'; startX: number; startY: number; lastX: number; isMoving: boolean };

/**
 * Handles wheel, drag, click and hover on the plot; returns the function that stops this. Listeners on `window` last as
 * long as a drag. A drag also ends when a pointer event shows that no button is pressed.
 */
export function listenToGestures(
  plot: HTMLElement,
  picture: Picture,
  actions: TimelineActions,
  handlers: GestureHandlers,
): () => void {
  const { timeline } = picture;
  let drag: Drag | null = null;
  let hovered: string | null = null;

  const placeOf = (event: MouseEvent) => {
    const box = plot.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const hitAt = (x: number, y: number): Hit | null => {
    if (y < RULER_PX || !picture.scene) return null;
    return hitTest(picture.scene, x, y - RULER_PX + picture.scrollTop());
  };
  const spotAt = (x: number, y: number): BlindSpot | null => {
    if (!picture.scene || y <= 0) return null;
    if (y < RULER_PX) return blindSpotAt(picture.scene, x, null) ?? null;
    const row = rowAt(picture.scene, y - RULER_PX + picture.scrollTop())?.row;
    return row && row.kind !== 'quiet' ? (blindSpotAt(picture.scene, x, row.lockId) ?? null) : null;
  };
  const problemAt = (x: number, y: number): VerdictMark | null => {
    if (y < RULER_PX || !picture.scene) return null;
    return verdictAt(picture.scene, x, y - RULER_PX + picture.scrollTop()) ?? null;
  };
  const hover = (hit: Hit | null, x: number, y: number) => {
    const problem = hit ? null : problemAt(x, y);
    const spot = hit || problem ? null : spotAt(x, y);
    const key = hit
      ? `${hit.row.row.key} ${hit.mark.id}`
      : problem
        ? `problem ${problem.seq}`
        : spot && `${spot.source} ${spot.from}`;
    if (key === hovered) return;
    hovered = key;
    picture.hovered = hit?.row.track ? { lockId: hit.row.track.id, markId: hit.mark.id } : null;
    picture.redrawTop();
    plot.style.cursor = hit ? 'pointer' : '';
    handlers.onHover(hit, x, y, problem ?? spot);
  };

  const onWheel = (event: WheelEvent) => {
    const { x } = placeOf(event);
    const pxPerLine = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const dx = event.deltaX * pxPerLine;
    const dy = event.deltaY * pxPerLine;
    // a pinch arrives as a wheel event with Ctrl: it zooms in both wheel styles
    const isZoom =
      event.ctrlKey || event.metaKey || (wheel.get() === 'zoom' && !event.shiftKey && Math.abs(dy) >= Math.abs(dx));
    if (isZoom) {
      event.preventDefault();
      handlers.onZoomed();
      const anchor = picture.scale().at(x);
      const factor = Math.exp(Math.max(-120, Math.min(120, dy)) * WHEEL_RATE * (event.deltaMode === 0 ? 1.6 : 1));
      actions.zoom(factor, anchor);
      return;
    }
    const sideways = event.shiftKey ? dx || dy : Math.abs(dx) > Math.abs(dy) ? dx : 0;
    if (sideways !== 0) {
      event.preventDefault();
      actions.pan(sideways / picture.scale().pxPerMicro);
    } else handlers.onPlainWheel();
  };

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 && event.button !== 1) return;
    if (event.target instanceof Element && event.target.closest('button, a')) return;
    const { x, y } = placeOf(event);
    const kind = event.button === 1 || handlers.isSpaceHeld() ? 'pan' : 'brush';
    event.preventDefault();
    // from now on, keys go to the picture, not to the button used before
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    drag = { kind, startX: x, startY: y, lastX: x, isMoving: false };
    window.addEventListener('pointermove', onDrag);
    window.addEventListener('pointerup', onDragEnd);
    window.addEventListener('pointercancel', endDrag);
  };
  const endDrag = () => {
    drag = null;
    window.removeEventListener('pointermove', onDrag);
    window.removeEventListener('pointerup', onDragEnd);
    window.removeEventListener('pointercancel', endDrag);
  };
  const onDrag = (event: PointerEvent) => {
    if (!drag) return;
    if (event.buttons === 0) return endDrag();
    const { x } = placeOf(event);
    if (!drag.isMoving && Math.abs(x - drag.startX) < DRAG_PX) return;
    if (!drag.isMoving) timeline.pause();
    drag.isMoving = true;
    hover(null, 0, 0);
    const scale = picture.scale();
    if (drag.kind === 'pan') actions.pan((drag.lastX - x) / scale.pxPerMicro);
    else {
      const width = scale.width;
      const [a, b] = [drag.startX, Math.min(width, Math.max(0, x))].map((px) => Math.round(scale.at(px)));
      timeline.set({
        brush: { from: redisTime(Math.min(a ?? 0, b ?? 0)), to: redisTime(Math.max(a ?? 0, b ?? 0)) },
      });
    }
    drag.lastX = x;
  };
  const onDragEnd = (event: PointerEvent) => {
    const ended = drag;
    endDrag();
    if (!ended || ended.isMoving || ended.kind === 'pan') return;
    const hit = hitAt(ended.startX, ended.startY);
    const clickedAt = redisTime(Math.round(picture.scale().at(ended.startX)));
    if (hit?.row.track) actions.select(hit.row.track, hit.mark, { clickedAt, keepsCursor: event.shiftKey });
    else if (ended.startY < RULER_PX) {
      const tick = picture.scene && tickAt(picture.scene.problems, picture.scene.scale, ended.startX);
      if (tick) actions.showProblem(tick);
      else actions.putCursor(clickedAt);
    } else {
      timeline.pause();
      timeline.set({ brush: null });
      actions.clearSelection();
    }
  };
  const onMove = (event: PointerEvent) => {
    if (drag || event.pointerType === 'touch') return;
    const { x, y } = placeOf(event);
    setHoverTime(redisTime(Math.round(picture.scale().at(x))));
    hover(hitAt(x, y), x, y);
  };
  const onLeave = () => {
    setHoverTime(null);
    hover(null, 0, 0);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const { x, y } = placeOf(event);
    if (hitAt(x, y)) actions.fitSelection();
  };

  plot.addEventListener('wheel', onWheel, { passive: false });
  plot.addEventListener('pointerdown', onPointerDown);
  plot.addEventListener('pointermove', onMove);
  plot.addEventListener('pointerleave', onLeave);
  plot.addEventListener('dblclick', onDoubleClick);
  return () => {
    endDrag();
    plot.removeEventListener('wheel', onWheel);
    plot.removeEventListener('pointerdown', onPointerDown);
    plot.removeEventListener('pointermove', onMove);
    plot.removeEventListener('pointerleave', onLeave);
    plot.removeEventListener('dblclick', onDoubleClick);
  };
}
