import { currentCursor, onCursor } from '../../cursor/cursor.ts';
import { hoverTime, onHoverTime } from '../../cursor/hover-time.ts';
import { onceIn } from '../../data/live/ticker.ts';
import { droppedOf } from '../../data/window/drops.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { offsetMinutesOf } from '../../ui/zone.ts';
import { currentWords, onWords } from '../../words/language.ts';
import { drawScene } from '../draw/draw-scene.ts';
import { boxOfMark } from '../draw/lanes/mark-box.ts';
import { drawTop, isTopBlank, type TopView } from '../draw/layers/draw-top.ts';
import { inksOf, type Palette, penOf } from '../draw/pen/pen.ts';
import { busyTimes, idleSpans } from '../layout/idle.ts';
import { RULER_PX } from '../layout/metrics.ts';
import { onWholePixels, restMs } from '../layout/pace.ts';
import { makeScale, type Scale } from '../layout/scale.ts';
import { type Scene, sceneFrom } from '../layout/scene.ts';
import type { RowCache } from '../store/row-cache.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { liveActivityOf } from './live-activity.ts';
import { boxesTogether, shownArrows } from './of-selection.ts';
import { type OverlayParts, placeOverlay } from './place-overlay.ts';
import { shownLanes } from './shown-lanes.ts';

type PictureParts = OverlayParts & {
  readonly lanes: HTMLCanvasElement;
  readonly top: HTMLCanvasElement;
  readonly scroller: HTMLElement;
};

/** While paused, new data redraws the picture at most this often. */
const PAUSED_EVERY_MS = 250;
/** If an outdated track was drawn, the picture is drawn again after this time. */
const LAGGING_MS = 60;
/** A view that has not moved for this long is at rest. */
const REST_MS = 300;
/** With reduced motion, the live view moves in steps of at least this time. */
const CALM_EVERY_MS = 1000;

/**
 * Draws the canvases and places the elements above them: at most once a frame, and not at all while nothing changes.
 * While live it draws whenever now has moved by a pixel. While nothing but the time or open bars changes, it draws less
 * often.
 */
export class Picture {
  readonly timeline: TimelineStore;
  readonly rows: RowCache;
  scene: Scene | null = null;
  hovered: { lockId: string; markId: string } | null = null;
  readonly #parts: PictureParts;
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #stops: (() => void)[] = [];
  #palette: Palette;
  #frame = 0;
  #stopWaiting: (() => void) | null = null;
  #width = 0;
  #height = 0;
  #isTopOnly = true;
  /** False if the size may have changed. The size is not read every time, because that forces a layout. */
  #isFitted = false;
  #ratio = 0;
  #movedAt = 0;
  #isTopBlank = true;

  constructor(timeline: TimelineStore, rows: RowCache, parts: PictureParts) {
    this.timeline = timeline;
    this.rows = rows;
    this.#parts = parts;
    this.#palette = inksOf(parts.lanes, this.#calm.matches, currentWords());
    const redraw = () => this.redraw();
    const readInks = () => {
      this.#palette = inksOf(parts.lanes, this.#calm.matches, currentWords());
      redraw();
    };
    const theme = new MutationObserver(readInks);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const size = new ResizeObserver(() => {
      this.#isFitted = false;
      redraw();
    });
    size.observe(parts.scroller);
    if (parts.lanes.parentElement) size.observe(parts.lanes.parentElement);
    parts.scroller.addEventListener('scroll', redraw, { passive: true });
    this.#calm.addEventListener('change', readInks);
    this.#stops.push(
      timeline.subscribe(redraw),
      timeline.live.subscribe(() => this.#onLiveData()),
      onCursor(redraw),
      onWords(readInks),
      onHoverTime(() => this.redrawTop()),
      () => theme.disconnect(),
      () => size.disconnect(),
      () => parts.scroller.removeEventListener('scroll', redraw),
      () => this.#calm.removeEventListener('change', readInks),
    );
    redraw();
  }

  end(): void {
    this.timeline.tracks.movingTo = null;
    this.timeline.width = 0;
    for (const stop of this.#stops) stop();
    cancelAnimationFrame(this.#frame);
    this.#stopWaiting?.();
  }

  redraw(): void {
    this.#isTopOnly = false;
    this.#frame ||= requestAnimationFrame(this.#draw);
  }

  /** Redraws only the top layer: hover, selection or cursor has changed, the lanes have not. */
  redrawTop(): void {
    this.#frame ||= requestAnimationFrame(this.#draw);
  }

  scrollTop(): number {
    return this.#parts.scroller.scrollTop;
  }

  /** The scale on screen now. */
  scale(): Scale {
    return this.scene?.scale ?? makeScale(this.timeline.view(), Math.max(1, this.#width));
  }

  #onLiveData(): void {
    if (!this.timeline.isLive()) this.#redrawIn(PAUSED_EVERY_MS);
  }

  #draw = (): void => {
    this.#frame = 0;
    const isTopOnly = this.#isTopOnly && this.scene !== null && !this.timeline.isLive();
    this.#isTopOnly = true;
    this.#fit();
    if (this.#width > 0 && this.#height > 0) {
      if (!isTopOnly) this.#drawLanes();
      this.#drawTop();
    }
    const { tracks } = this.timeline;
    if (tracks.lags) this.#redrawIn(LAGGING_MS);
    tracks.lags = false;
    if (!this.timeline.isLive()) return;
    const { from, to } = this.timeline.view();
    const rest = restMs(to - from, this.#width, liveActivityOf(this.timeline, this.scene));
    this.#redrawIn(this.#calm.matches ? Math.max(CALM_EVERY_MS, rest) : rest);
  };

  #redrawIn(ms: number): void {
    this.#stopWaiting ??= onceIn(ms, () => {
      this.#stopWaiting = null;
      this.redraw();
    });
  }

  #drawLanes(): void {
    const isLive = this.timeline.isLive();
    const view = isLive ? onWholePixels(this.timeline.view(), this.#width) : this.timeline.view();
    const now = this.timeline.now();
    const { rows } = this.rows.get();
    const scrollTop = this.#parts.scroller.scrollTop;
    const scale = makeScale(view, this.#width, this.#idleIn(view));
    const { tracks } = this.timeline;
    tracks.isPaused = !isLive;
    const localNow = Date.now();
    if (this.scene && this.scene.scale.span.from !== view.from) this.#movedAt = localNow;
    tracks.movingTo = tracks.isPaused && localNow - this.#movedAt < REST_MS ? view.to : null;
    this.scene = sceneFrom({
      rows,
      top: scrollTop,
      bottom: scrollTop + this.#height - RULER_PX,
      scale,
      now,
      goneSince: this.timeline.goneSince,
      blindSpots: this.timeline.blindSpots(),
      unknown: this.timeline.unknownIn(view),
      outline: this.timeline.outline(),
      problems: this.timeline.ticks(),
      isWhole: (id) => this.timeline.isWhole(id, view),
      droppedOf: (id) => droppedOf(this.timeline.window, id),
      trackOf: (id) => tracks.get(id, localNow),
      words: this.#palette.words,
      letterOf: this.timeline.letterOf,
    });
    const pen = penOf(this.#parts.lanes, true);
    drawScene(pen, this.#palette, this.scene, {
      width: this.#width,
      height: this.#height,
      scrollTop,
      offsetMinutes: offsetMinutesOf(view.to),
    });
  }

  #drawTop(): void {
    const { scene } = this;
    if (!scene) return;
    const state = this.timeline.get();
    const cursor = currentCursor();
    const scrollTop = this.#parts.scroller.scrollTop;
    const cursorX = scene.scale.x(cursor.mode === 'paused' ? cursor.at : this.timeline.now());
    const selected = boxOfMark(scene, state.selectedLock, state.selected);
    const view: TopView = {
      width: this.#width,
      height: this.#height,
      scrollTop,
      cursorX: cursor.mode === 'paused' ? cursorX : null,
      together: boxesTogether(scene, this.timeline),
      selected,
      arrows: shownArrows(scene, this.timeline, this.hovered, this.#palette.words),
      hovered: this.hovered ? boxOfMark(scene, this.hovered.lockId, this.hovered.markId) : null,
    };
    const isBlank = isTopBlank(view);
    // any drawing makes the browser paint the whole canvas again
    if (!isBlank || !this.#isTopBlank) {
      const pen = penOf(this.#parts.top, false);
      pen.clearRect(0, 0, this.#width, this.#height);
      drawTop(pen, this.#palette, view);
    }
    this.#isTopBlank = isBlank;
    placeOverlay(this.#parts, {
      scene,
      state,
      cursorX,
      hoverX: hoverTime() === null ? null : scene.scale.x(hoverTime() ?? 0),
      scrollTop,
      selected,
      trackOf: (id) => this.timeline.tracks.get(id, Date.now()),
    });
  }

  /** Sizes the canvases to whole device pixels, if the size may have changed. */
  #fit(): void {
    const { lanes, top, scroller } = this.#parts;
    if (this.#isFitted && this.#ratio === window.devicePixelRatio) return;
    this.#isFitted = true;
    this.#ratio = window.devicePixelRatio;
    const box = lanes.parentElement?.getBoundingClientRect();
    this.#width = Math.floor(box?.width ?? 0);
    this.timeline.width = this.#width;
    this.#height = Math.floor(scroller.clientHeight);
    const ratio = window.devicePixelRatio || 1;
    const wide = Math.round(this.#width * ratio);
    const high = Math.round(this.#height * ratio);
    for (const canvas of [lanes, top]) {
      if (canvas.width === wide && canvas.height === high) continue;
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${this.#width}px`;
      canvas.style.height = `${this.#height}px`;
      this.#isTopOnly = false;
    }
    (lanes.closest<HTMLElement>('.tl-plot') ?? lanes).style.setProperty('--plot-height', `${this.#height}px`);
  }

  #idleIn(view: TimeSpan): TimeSpan[] {
    if (!this.timeline.get().isIdleCollapsed || this.timeline.isLive()) return [];
    const lanes = shownLanes(this.timeline, this.rows.get().rows);
    return idleSpans(view, busyTimes(lanes, view, this.timeline.now()));
  }
}
