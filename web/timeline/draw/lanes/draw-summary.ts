import { firstFrom } from '../../../../shared/base/search.ts';
import type { RedisTime } from '../../../../shared/base/time.ts';
import { countedBy } from '../../../../shared/events/kinds/kinds.ts';
import { type GoneSince, orphanedFrom } from '../../../../shared/insights/renewals.ts';
import { firstThatReaches } from '../../layout/layout-lane.ts';
import { LOCK_ROW_PX, labelWidth, NARROW_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import { endOf, type HoldMark, type Track } from '../../model/marks.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';

/** How a lock's own row is drawn. */
type SummaryView = {
  readonly scale: Scale;
  readonly now: RedisTime;
  readonly goneSince: GoneSince;
  /** The lanes of the lock are below: its waits are shown there. */
  readonly isOpen: boolean;
  readonly letterOf: (lockId: string, holder: string) => string | null;
  readonly labels: Labels;
};

export const BAR_PX = 12;
/** The thin line of waits, below the bar. */
export const WAITS_PX = 3;
export const WAITS_BELOW_PX = 2;
const LETTER_PX = 16;

/**
 * Draws all holds of a lock in one line, with the letter of each holder, and a cross where a lease expired. A folded
 * lock also has a thin line below where threads waited.
 *
 *   orders:42   |A███████|B██|A█████ ✕ ┆C┄┄┄┄
 */
export function drawSummary(pen: Pen, palette: Palette, track: Track, top: number, view: SummaryView): void {
  const { scale } = view;
  const mid = top + LOCK_ROW_PX / 2;
  if (countedBy(track.kind) === 'latch') drawLatch(pen, palette, track, mid, scale, view.now);
  const narrow = { hold: new Cover(scale.width), wait: new Cover(scale.width) };
  const wide: (() => void)[] = [];
  for (const lane of track.lanes) {
    for (let i = firstThatReaches(lane.spans, scale.span.from); i < lane.spans.length; i++) {
      const span = lane.spans[i];
      if (!span || span.from > scale.span.to) break;
      if (view.isOpen && span.kind === 'wait') continue;
      const x0 = Math.max(-2, scale.x(span.from));
      const x1 = Math.min(scale.width + 2, scale.x(endOf(span, view.now)));
      if (x1 < 0) continue;
      if (span.kind === 'wait' || x1 - x0 < NARROW_PX) narrow[span.kind].add(x0, x1);
      else {
        const letter = view.letterOf(track.id, lane.holder);
        wide.push(() => drawHolder(pen, palette, span, { x0, x1, mid, letter, ...view }));
      }
    }
  }
  pen.fillStyle = palette.hold;
  for (const [x0, x1] of narrow.hold.runs()) pen.fillRect(x0, mid - BAR_PX / 2, x1 - x0, BAR_PX);
  pen.fillStyle = palette.wait;
  for (const [x0, x1] of narrow.wait.runs()) pen.fillRect(x0, mid + BAR_PX / 2 + WAITS_BELOW_PX, x1 - x0, WAITS_PX);
  for (const draw of wide) draw();
  drawExpiries(pen, palette, track, mid, scale);
}

/** Which pixels of a line are covered. Any number of spans takes at most one stroke for every second pixel. */
class Cover {
  readonly #pixels: Uint8Array;

  constructor(width: number) {
    this.#pixels = new Uint8Array(Math.max(1, Math.ceil(width)));
  }

  add(x0: number, x1: number): void {
    const from = Math.floor(x0);
    const to = Math.min(this.#pixels.length, Math.max(from + 1, Math.ceil(x1)));
    // most spans have one pixel or two: a call of `fill` costs more
    for (let x = Math.max(0, from); x < to; x++) this.#pixels[x] = 1;
  }

  *runs(): Generator<[from: number, to: number]> {
    let from = this.#pixels.indexOf(1);
    while (from !== -1) {
      const end = this.#pixels.indexOf(0, from);
      const to = end === -1 ? this.#pixels.length : end;
      yield [from, to];
      from = this.#pixels.indexOf(1, to);
    }
  }
}

type HolderBox = Pick<SummaryView, 'scale' | 'now' | 'goneSince' | 'labels'> & {
  readonly x0: number;
  readonly x1: number;
  readonly mid: number;
  readonly letter: string | null;
};

/** One hold: solid while a client renews it, then a dashed outline. */
function drawHolder(pen: Pen, palette: Palette, hold: HoldMark, box: HolderBox): void {
  const { x0, x1, mid, letter, scale } = box;
  const y = mid - BAR_PX / 2;
  const torn = orphanedFrom(hold, box.now, box.goneSince);
  const solidTo = torn === null ? x1 : Math.min(x1, Math.max(x0, scale.x(torn)));
  pen.fillStyle = palette.hold;
  pen.fillRect(x0, y, solidTo - x0, BAR_PX);
  if (solidTo < x1) {
    pen.strokeStyle = palette.lost;
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.strokeRect(solidTo, y + 0.75, x1 - solidTo, BAR_PX - 1.5);
    pen.setLineDash([]);
  }
  // a gap of one pixel keeps adjacent holds apart
  if (x1 - x0 > 3) {
    pen.fillStyle = palette.page;
    pen.fillRect(x1 - 1, y, 1, BAR_PX);
  }
  const left = Math.max(0, x0);
  if (letter === null || Math.min(x1, scale.width) - left < LETTER_PX) return;
  if (box.labels.place(left + 3, x1, labelWidth(letter), mid) === null) return;
  pen.font = labelFont(palette, 600, 11);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = left < solidTo - 10 ? palette.onHold : palette.ink;
  pen.fillText(letter, left + 4, mid + 0.5);
}

function drawExpiries(pen: Pen, palette: Palette, { expiries }: Track, mid: number, scale: Scale): void {
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 2;
  for (let i = firstFrom(expiries, scale.span.from, (at) => at); i < expiries.length; i++) {
    const at = expiries[i];
    if (at === undefined || at > scale.span.to) break;
    const x = scale.x(at);
    pen.beginPath();
    pen.moveTo(x - 4, mid - 5);
    pen.lineTo(x + 4, mid + 3);
    pen.moveTo(x + 4, mid - 5);
    pen.lineTo(x - 4, mid + 3);
    pen.stroke();
  }
}

/** Draws when a latch was closed: while its count was not zero. */
function drawLatch(pen: Pen, palette: Palette, { counter }: Track, mid: number, scale: Scale, now: RedisTime): void {
  pen.fillStyle = palette.hold;
  for (let i = Math.max(0, firstFrom(counter, scale.span.from, ({ at }) => at) - 1); i < counter.length; i++) {
    const step = counter[i];
    if (!step || step.at > scale.span.to) break;
    if (!step.count) continue;
    const x0 = Math.max(-2, scale.x(step.at));
    const x1 = Math.min(scale.width + 2, scale.x(counter[i + 1]?.at ?? now));
    if (x1 > x0) pen.fillRect(x0, mid - 5, Math.max(1, x1 - x0), 8);
  }
}
