import type { MarkBox } from '../draw/lanes/lane-mark.ts';
import { boxOfMark } from '../draw/lanes/mark-box.ts';
import { RULER_PX } from '../layout/metrics.ts';
import type { Scene } from '../layout/scene.ts';
import { causeOf, effectOf, markById } from '../model/causes.ts';
import type { Track } from '../model/marks.ts';
import type { TimelineState } from '../store/timeline-state.ts';
import { ringOf } from './ring.ts';

/** The elements above the canvases. They are moved without React, so that moving them does not render. */
export type OverlayParts = {
  readonly cursor: HTMLElement;
  readonly hairline: HTMLElement;
  readonly brush: HTMLElement;
  readonly ring: HTMLElement;
  readonly causeArrow: SVGPathElement;
  readonly effectArrow: SVGPathElement;
};

type OverlayView = {
  scene: Scene;
  state: TimelineState;
  cursorX: number;
  hoverX: number | null;
  scrollTop: number;
  selected: MarkBox | null;
  trackOf: (lockId: string) => Track | null;
};

/** Places cursor, hairline, brush, focus ring and the arrows of the selection by the scene. */
export function placeOverlay(parts: OverlayParts, view: OverlayView): void {
  const { scene, state, scrollTop, selected } = view;
  const { width } = scene.scale;
  placeLine(parts.cursor, view.cursorX, width);
  placeLine(parts.hairline, view.hoverX ?? -1, width);

  const brush = state.brush;
  parts.brush.hidden = brush === null;
  if (brush) {
    const x0 = Math.max(0, scene.scale.x(brush.from));
    const x1 = Math.min(width, scene.scale.x(brush.to));
    parts.brush.style.transform = `translateX(${x0}px)`;
    parts.brush.style.width = `${Math.max(1, x1 - x0)}px`;
  }

  parts.ring.hidden = selected === null;
  if (selected) Object.assign(parts.ring.style, ringOf(selected, width, scrollTop));
  placeArrows(parts, view);
}

function placeLine(element: HTMLElement, x: number, width: number): void {
  element.hidden = x < 0 || x > width;
  if (!element.hidden) element.style.transform = `translateX(${Math.round(x * 2) / 2}px)`;
}

function placeArrows(parts: OverlayParts, { scene, state, scrollTop, selected, trackOf }: OverlayView): void {
  const { selected: id, selectedLock } = state;
  const track = selectedLock === null ? null : trackOf(selectedLock);
  const mark = track && id !== null ? markById(track, id) : undefined;
  const pathBetween = (a: MarkBox | null, b: MarkBox | null, isForward: boolean): string => {
    if (!a || !b) return '';
    const dy = RULER_PX - scrollTop;
    const x0 = isForward ? a.x + a.width : a.x;
    const x1 = isForward ? b.x : b.x + b.width;
    return curve(x0, a.y + a.height / 2 + dy, x1, b.y + b.height / 2 + dy);
  };
  const cause = track && mark ? causeOf(track, mark) : undefined;
  const effect = track && mark ? effectOf(track, mark) : undefined;
  const boxIn = (of: { id: string } | undefined) => (of ? boxOfMark(scene, selectedLock, of.id) : null);
  parts.causeArrow.setAttribute('d', pathBetween(boxIn(cause), selected, false));
  parts.effectArrow.setAttribute('d', pathBetween(selected, boxIn(effect), true));
}

function curve(x0: number, y0: number, x1: number, y1: number): string {
  const bend = Math.max(18, Math.abs(x1 - x0) / 2);
  return `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`;
}
