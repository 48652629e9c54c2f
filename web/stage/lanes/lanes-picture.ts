import { inksOf, type Palette } from '../../timeline/draw/pen/pen.ts';
import { LABEL_PX, RULER_PX } from '../../timeline/layout/metrics.ts';
import type { Track } from '../../timeline/model/marks.ts';
import { currentWords, onWords } from '../../words/language.ts';
import type { Storyboard } from '../beats/beats-from-events.ts';
import type { StagePlayer } from '../playback/player.ts';
import type { StagePicture } from '../playback/stage-at.ts';
import { drawLanes } from './draw-lanes.ts';
import { hasOpenBar, lanesSceneAt, tracksOf, tracksUntil } from './lanes-scene.ts';

/** The least size of text where many lanes make everything smaller. */
const LEAST_PX = 11;
/** If there is this much room, the lens is right of the cursor, where nothing is drawn yet. */
const LENS_PX = 380;

/** The canvas below the cards: drawn again when the show, its size, the theme or the language has changed. */
export class LanesPicture {
  readonly #canvas: HTMLCanvasElement;
  readonly #player: StagePlayer;
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #stops: (() => void)[] = [];
  #palette: Palette;
  #tracks: { storyboard: Storyboard; tracks: readonly Track[] } | null = null;
  #drawn: readonly unknown[] = [];
  #styleVersion = 0;
  #showsAhead = false;
  /** From the left edge of the canvas. */
  #cursorPx = 0;
  #isLensPlaced = false;
  #seen: { of: readonly Track[]; landed: number; tracks: readonly Track[] } | null = null;

  constructor(canvas: HTMLCanvasElement, player: StagePlayer) {
    this.#canvas = canvas;
    this.#player = player;
    this.#palette = this.#readInks();
    const change = () => {
      this.#palette = this.#readInks();
      this.#styleVersion++;
    };
    const theme = new MutationObserver(change);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    this.#calm.addEventListener('change', change);
    this.#stops.push(
      onWords(change),
      player.onFrame((picture, storyboard) => this.draw(picture, storyboard)),
      () => theme.disconnect(),
      () => this.#calm.removeEventListener('change', change),
    );
  }

  /** Whether marks after the cursor are drawn too. */
  set showsAhead(isShown: boolean) {
    this.#showsAhead = isShown;
    this.#styleVersion++;
  }

  end(): void {
    for (const stop of this.#stops) stop();
  }

  #readInks(): Palette {
    return inksOf(this.#canvas, this.#calm.matches, currentWords());
  }

  /** Draws a position of a run, unless it was drawn last. Places an open lens beside the cursor. */
  draw(picture: StagePicture, storyboard: Storyboard): void {
    this.#drawLanes(picture, storyboard);
    if (picture.lensMs === null) this.#isLensPlaced = false;
    else if (!this.#isLensPlaced) this.#placeLens();
  }

  /** The lens is right of the cursor, where nothing is drawn yet, or left of it over earlier marks. */
  #placeLens(): void {
    const below = this.#canvas.closest<HTMLElement>('.stage-below');
    if (!below) return;
    const left = this.#canvas.getBoundingClientRect().left - below.getBoundingClientRect().left;
    const cursorPx = left + this.#cursorPx;
    below.style.setProperty('--cursor-px', `${cursorPx}px`);
    below.style.setProperty('--names-px', `${left}px`);
    below.dataset.lens = below.clientWidth - cursorPx > LENS_PX ? 'after' : 'before';
    this.#isLensPlaced = true;
  }

  #drawLanes({ at, landed }: StagePicture, storyboard: Storyboard): void {
    const box = this.#canvas.parentElement?.getBoundingClientRect();
    const zoom = Number(getComputedStyle(this.#canvas).getPropertyValue('--type')) || 1;
    const width = Math.floor((box?.width ?? 0) / zoom);
    // open bars grow up to now, even while the stage is paused
    const now = this.#showsAhead ? this.#player.edge() : at;
    if (this.#tracks?.storyboard !== storyboard) this.#tracks = { storyboard, tracks: tracksOf(storyboard) };
    const { tracks } = this.#tracks;
    const grown = tracks.some(hasOpenBar) ? Math.floor(now / 100_000) : 0;
    const drawn = [at, landed, storyboard, width, zoom, this.#styleVersion, window.devicePixelRatio, grown];
    if (width <= 0 || drawn.every((part, index) => part === this.#drawn[index])) return;
    this.#drawn = drawn;
    if (tracks.length === 0) return;
    const words = currentWords();
    const shown = this.#showsAhead ? tracks : this.#tracksUntil(storyboard, tracks, landed);
    const lanes = lanesSceneAt({ storyboard, tracks: shown, at, now, width, words });
    this.#cursorPx = lanes.cursorX * zoom;
    const pen = this.#penOf(width, lanes.height + RULER_PX, zoom);
    // an open bar ends at the cursor, so it must not fade before the cursor
    const isCalm = this.#showsAhead ? this.#palette.isCalm : true;
    const palette = { ...this.#palette, isCalm, labelPx: Math.max(LABEL_PX, LEAST_PX / zoom) };
    const secondText = (second: number) => words.stage.lanes.second(String(second));
    drawLanes(pen, palette, lanes, width, secondText);
  }

  /** The tracks with only what has landed, made again only when a moment lands. */
  #tracksUntil(storyboard: Storyboard, whole: readonly Track[], landed: number): readonly Track[] {
    if (this.#seen?.of !== whole || this.#seen.landed !== landed) {
      this.#seen = { of: whole, landed, tracks: tracksUntil(storyboard, whole, landed) };
    }
    return this.#seen.tracks;
  }

  #penOf(width: number, height: number, zoom: number): CanvasRenderingContext2D {
    const canvas = this.#canvas;
    const ratio = (window.devicePixelRatio || 1) * zoom;
    const wide = Math.round(width * ratio);
    const high = Math.round(height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width * zoom}px`;
      canvas.style.height = `${height * zoom}px`;
    }
    const pen = canvas.getContext('2d', { alpha: false });
    if (!pen) throw new Error('this browser has no 2D canvas');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return pen;
  }
}
