import { firstFrom } from '../../../../shared/base/search.ts';
import type { RedisTime } from '../../../../shared/base/time.ts';
import { countedBy } from '../../../../shared/events/kinds/kinds.ts';
import { LEASE_BOTTOM_PX, LEASE_TOP_PX, labelWidth } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { CounterStep, Track } from '../../model/marks.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';

/** The least height of a block: a lower one would be only its gap. */
const LOWEST_UNIT_PX = 4;
const GAP_PX = 1.5;
/** In a narrower range, blocks are not drawn one by one. */
const NARROW_PX = 3;
const LINE_PX = 2;

type Range = { readonly step: CounterStep; readonly x0: number; x1: number; most: number };

/**
 * Draws the number of a key over time: permits in use as stacked blocks, with a line at the limit; the count of a latch
 * as a staircase that goes down to zero, when it opens.
 *
 *   ───────────────── limit          ▇▇▇
 *      ▇▇ ▇▇▇                        ▇▇▇▇▇▇
 *   ▇▇▇▇▇ ▇▇▇▇▇▇                     ▇▇▇▇▇▇▇▇▇___ open
 */
export function drawCounter(
  pen: Pen,
  palette: Palette,
  track: Track,
  top: number,
  view: { scale: Scale; now: RedisTime },
  labels: Labels,
): void {
  const unit = (LEASE_BOTTOM_PX - LEASE_TOP_PX) / Math.max(1, track.counterTop);
  const ranges = rangesInSight(track.counter, view.scale, view.now);
  const isLatch = countedBy(track.kind) === 'latch';
  pen.fillStyle = palette.hold;
  for (const range of ranges) drawBlocks(pen, range, unit, top);
  for (const range of ranges) drawEdge(pen, palette, range, unit, top, isLatch);
  for (const range of ranges) drawText(pen, palette, range, unit, top, view.scale, labels, isLatch);
}

/** Steps on the same pixel become one range, as high as the highest of them. */
function rangesInSight(steps: readonly CounterStep[], scale: Scale, now: RedisTime): Range[] {
  const ranges: Range[] = [];
  const { from, to } = scale.span;
  for (let i = Math.max(0, firstFrom(steps, from, ({ at }) => at) - 1); i < steps.length; i++) {
    const step = steps[i] as CounterStep; // i is below the length
    if (step.at > to) break;
    const x0 = Math.max(-2, scale.x(step.at));
    const x1 = Math.min(scale.width + 2, scale.x(steps[i + 1]?.at ?? now));
    if (x1 < 0) continue;
    const last = ranges.at(-1);
    if (last && x1 - last.x0 < 1) {
      last.x1 = x1;
      last.most = Math.max(last.most, step.count ?? 0);
    } else ranges.push({ step, x0, x1, most: step.count ?? 0 });
  }
  return ranges;
}

function drawBlocks(pen: Pen, { x0, x1, most }: Range, unit: number, top: number): void {
  const width = Math.max(1, x1 - x0);
  const bottom = top + LEASE_BOTTOM_PX;
  if (most === 0) return;
  if (unit < LOWEST_UNIT_PX || width < NARROW_PX) return pen.fillRect(x0, bottom - most * unit, width, most * unit);
  for (let n = 1; n <= most; n++) pen.fillRect(x0, bottom - n * unit + GAP_PX, width, unit - GAP_PX);
}

/** Draws the limit of permits as a line. For a latch, draws the top of the current step, even if the count is zero. */
function drawEdge(
  pen: Pen,
  palette: Palette,
  { step, x0, x1 }: Range,
  unit: number,
  top: number,
  isLatch: boolean,
): void {
  const height = isLatch ? step.count : step.limit;
  if (height === null) return;
  pen.fillStyle = palette.ink;
  pen.fillRect(x0, top + LEASE_BOTTOM_PX - height * unit - LINE_PX / 2, Math.max(1, x1 - x0), isLatch ? LINE_PX : 1);
}

/** Draws the number in words if they fit: on the blocks, or above them if the blocks are low. */
function drawText(
  pen: Pen,
  palette: Palette,
  { step, x0, x1 }: Range,
  unit: number,
  top: number,
  scale: Scale,
  labels: Labels,
  isLatch: boolean,
): void {
  const words = textOf(step, palette, isLatch);
  const left = Math.max(0, x0) + 6;
  const right = Math.min(scale.width, x1) - 2;
  const height = (step.count ?? 0) * unit;
  const plate = palette.labelPx + 4;
  const isOnBlocks = height >= plate + 2;
  const y = top + LEASE_BOTTOM_PX - (isOnBlocks ? height / 2 : height + 10);
  for (const text of words) {
    const length = labelWidth(text, palette.labelPx) + 6;
    const x = labels.place(left, right, length, y);
    if (x === null) continue;
    pen.fillStyle = isOnBlocks ? palette.hold : palette.page;
    if (isOnBlocks) pen.fillRect(x - 2, y - plate / 2, length, plate);
    pen.font = labelFont(palette, 600);
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillStyle = isOnBlocks ? palette.onHold : palette.ink;
    pen.fillText(text, x + 1, y + 0.5);
    return;
  }
}

/** The texts for a step, longest first. */
function textOf({ count, limit, free }: CounterStep, { words }: Palette, isLatch: boolean): readonly string[] {
  const { counters } = words;
  if (free !== null) return [counters.free(free)];
  if (count === null) return [];
  if (isLatch) return count === 0 ? [counters.left(0)] : [counters.left(count), String(count)];
  return limit === null ? [String(count)] : [counters.out(count, limit), `${count}/${limit}`];
}
