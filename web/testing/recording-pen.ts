import type { Palette, Pen } from '../timeline/draw/pen/pen.ts';
import { EN } from '../words/en.ts';

/** One drawing call with its style. */
type Stroke = {
  readonly call: 'fill' | 'stroke' | 'fillRect' | 'strokeRect' | 'fillText';
  readonly args: readonly unknown[];
  readonly color: string;
  readonly alpha: number;
  readonly dash: readonly number[];
  /** Points of the path, for fill and stroke. */
  readonly path: readonly (readonly [number, number])[];
};

/** A canvas pen for tests: records every drawing call, in order. */
export class RecordingPen {
  readonly strokes: Stroke[] = [];
  fillStyle: Pen['fillStyle'] = '';
  strokeStyle: Pen['strokeStyle'] = '';
  lineWidth = 1;
  lineCap: CanvasLineCap = 'butt';
  lineJoin: CanvasLineJoin = 'miter';
  globalAlpha = 1;
  font = '';
  textAlign: CanvasTextAlign = 'left';
  textBaseline: CanvasTextBaseline = 'middle';
  #path: [number, number][] = [];
  #dash: readonly number[] = [];

  setLineDash(dash: Iterable<number>): void {
    this.#dash = [...dash];
  }
  beginPath(): void {
    this.#path = [];
  }
  moveTo(x: number, y: number): void {
    this.#path.push([x, y]);
  }
  lineTo(x: number, y: number): void {
    this.#path.push([x, y]);
  }
  quadraticCurveTo(_cx: number, _cy: number, x: number, y: number): void {
    this.#path.push([x, y]);
  }
  arc(x: number, y: number): void {
    this.#path.push([x, y]);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push([x, y], [x + width, y + height]);
  }
  closePath(): void {}
  save(): void {}
  restore(): void {}
  clip(): void {}
  translate(): void {}
  fill(): void {
    this.#note('fill', [], this.fillStyle);
  }
  stroke(): void {
    this.#note('stroke', [], this.strokeStyle);
  }
  fillRect(...args: number[]): void {
    this.#note('fillRect', args, this.fillStyle);
  }
  strokeRect(...args: number[]): void {
    this.#note('strokeRect', args, this.strokeStyle);
  }
  fillText(...args: unknown[]): void {
    this.#note('fillText', args, this.fillStyle);
  }

  /** All drawn texts. */
  words(): string[] {
    return this.strokes.flatMap((stroke) => (stroke.call === 'fillText' ? [String(stroke.args[0])] : []));
  }

  /** Strokes in one colour. */
  in(color: string): Stroke[] {
    return this.strokes.filter((stroke) => stroke.color === color);
  }

  #note(call: Stroke['call'], args: readonly unknown[], color: Pen['fillStyle']): void {
    const path = call === 'fill' || call === 'stroke' ? [...this.#path] : [];
    this.strokes.push({ call, args, color: String(color), alpha: this.globalAlpha, dash: this.#dash, path });
  }
}

/** A palette whose colours are their own names, so that tests can compare them; labels are in English. */
export const NAMED_INKS: Palette = {
  hold: 'hold',
  wait: 'wait',
  lost: 'lost',
  ink: 'ink',
  muted: 'muted',
  onHold: 'on-hold',
  page: 'page',
  band: 'band',
  line: 'line',
  holdSoft: 'hold-soft',
  lostSoft: 'lost-soft',
  waitSoft: 'wait-soft',
  sans: 'sans-serif',
  labelPx: 12,
  words: EN,
  isCalm: false,
};
