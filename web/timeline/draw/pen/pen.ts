import type { Words } from '../../../words/words.ts';
import { LABEL_PX } from '../../layout/metrics.ts';

/** The part of a 2D canvas that drawing needs: a canvas in the product, a recorder in tests. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineCap'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'setLineDash'
  | 'beginPath'
  | 'closePath'
  | 'moveTo'
  | 'lineTo'
  | 'quadraticCurveTo'
  | 'arc'
  | 'rect'
  | 'fill'
  | 'stroke'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'save'
  | 'restore'
  | 'clip'
  | 'translate'
>;

/** Colours and font from the page's CSS tokens, and the words of the labels. */
export type Palette = {
  readonly hold: string;
  readonly wait: string;
  readonly lost: string;
  readonly ink: string;
  readonly muted: string;
  readonly onHold: string;
  readonly page: string;
  readonly band: string;
  readonly line: string;
  readonly holdSoft: string;
  readonly lostSoft: string;
  readonly waitSoft: string;
  readonly sans: string;
  /** The size of labels. */
  readonly labelPx: number;
  readonly words: Words;
  /** True if the user prefers reduced motion: nothing may fade or move. */
  readonly isCalm: boolean;
};

const TOKENS = {
  hold: '--hold',
  wait: '--wait',
  lost: '--lost',
  ink: '--ink',
  muted: '--muted',
  onHold: '--on-hold',
  page: '--page',
  band: '--band',
  line: '--line',
  holdSoft: '--hold-soft',
  lostSoft: '--lost-soft',
  waitSoft: '--wait-soft',
  sans: '--sans',
} as const;

/** Reads the CSS tokens of an element; call again when the theme or the language has changed. */
export function inksOf(element: Element, isCalm: boolean, words: Words): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const palette = Object.fromEntries(Object.entries(TOKENS).map(([key, token]) => [key, read(token)]));
  return { ...palette, labelPx: LABEL_PX, isCalm, words } as Palette; // one entry for each token above
}

export function labelFont(palette: Palette, weight: 400 | 600 = 400, px = palette.labelPx): string {
  return `${weight} ${px}px ${palette.sans}`;
}

/** The 2D context of a canvas, scaled to CSS pixels. Throws if the browser has none. */
export function penOf(canvas: HTMLCanvasElement, isOpaque: boolean): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d', { alpha: !isOpaque });
  if (!pen) throw new Error('this browser has no 2D canvas');
  const ratio = window.devicePixelRatio || 1;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}
