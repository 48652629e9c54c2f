import { firstFrom } from '../../../../shared/base/search.ts';
import { endOfSpot } from '../../../data/window/blind-spots.ts';
import { incidentTitle } from '../../../words/incident-title.ts';
import { LOCK_ROW_PX, labelWidth } from '../../layout/metrics.ts';
import type { Scene } from '../../layout/scene.ts';
import type { VerdictMark } from '../../model/verdict-marks.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import type { Layer, Sheet } from './layer.ts';

/** The lower edge of the flags, from the top of a lock's row. */
const FLAG_BOTTOM_PX = LOCK_ROW_PX - 1;
const FLAG_PX = 7;
/** The middle of the words, from the lower edge of the flags: clear of the letters in the bar above. */
const WORDS_BELOW_PX = 4;
/** Height of the plate behind the words, which may be on the lease of an open lock. */
const PLATE_PX = 13;
/** Up to this distance, the pointer is on a flag. */
const NEAR_PX = 6;
/** A mark closer than this to the previous mark is not drawn. */
const APART_PX = 4;

/**
 * Draws the problems of each lock at the lower edge of its row: a flag where the problem was reported, filled if it is
 * critical, and a line up to the report of its end.
 *
 *   |A███████|B██|A█████
 *        ▲───────┤ Deadlock
 */
export const verdictFlags: Layer = ({ pen, palette, scene, width, labels }) => {
  for (const { row, track } of scene.rows) {
    if (row.kind !== 'lock' || !track) continue;
    const y = row.y + FLAG_BOTTOM_PX;
    const blind = row.isOpen ? blindRangesOf(scene, row.lockId) : [];
    let last = Number.NEGATIVE_INFINITY;
    for (const mark of track.verdicts) {
      const { x0, x1 } = endsOf(mark, scene);
      if (x1 < 0 || x0 > width || (x0 - last < APART_PX && x1 - last < APART_PX)) continue;
      last = x1;
      drawFlag(pen, palette, mark, { x0, x1, y });
      // below the row of an open lock there is room for words
      if (row.isOpen)
        drawTitle({ pen, palette, labels, width, blind }, incidentTitle(mark.incident, palette.words), { x0, x1, y });
    }
  }
};

/** Where the lanes of a lock are covered by blind spots. */
function blindRangesOf({ blindSpots, scale, now }: Scene, lockId: string): readonly (readonly [number, number])[] {
  return blindSpots
    .filter(({ source }) => lockId.startsWith(`${source}/`))
    .map((spot) => [scale.x(spot.from), scale.x(endOfSpot(spot, now, scale.span.to))]);
}

/** Draws a title to the right of its mark, or to the left if there is no room; without room there, none. */
function drawTitle({ pen, palette, labels, width, blind }: TitleSheet, title: string, { x0, x1, y }: Ends): void {
  const middle = y + WORDS_BELOW_PX;
  const length = labelWidth(title);
  const placeAt = (x: number) => {
    const isCovered = blind.some(([from, to]) => from < x + length && to > x);
    return x < 0 || x + length > width || isCovered ? null : labels.place(x, x + length + 1, length, middle);
  };
  const [right, left] = [Math.max(0, x1) + FLAG_PX + 2, x0 - FLAG_PX - 2];
  const isRight = placeAt(right) !== null;
  if (!isRight && placeAt(left - length) === null) return;
  pen.fillStyle = palette.page;
  pen.fillRect((isRight ? right : left - length) - 2, middle - PLATE_PX / 2, length + 4, PLATE_PX);
  pen.font = labelFont(palette, 400, 11);
  pen.textAlign = isRight ? 'left' : 'right';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(title, isRight ? right : left, middle);
}

type TitleSheet = Pick<Sheet, 'pen' | 'palette' | 'labels' | 'width'> & {
  readonly blind: ReturnType<typeof blindRangesOf>;
};
/** Both ends of a mark, and its lower edge. */
type Ends = { readonly x0: number; readonly x1: number; readonly y: number };

function endsOf({ from, to }: VerdictMark, { scale }: Pick<Scene, 'scale'>): { x0: number; x1: number } {
  const x0 = scale.x(from);
  return { x0, x1: to === null ? x0 : scale.x(to) };
}

function drawFlag(pen: Pen, palette: Palette, { severity, to }: VerdictMark, { x0, x1, y }: Ends): void {
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 2;
  if (to !== null) {
    const from = Math.max(-2, x0);
    pen.fillStyle = palette.lost;
    pen.fillRect(from, y - 2, Math.max(1, x1 - from), 2);
    pen.fillRect(x1 - 2, y - FLAG_PX, 2, FLAG_PX);
  }
  pen.beginPath();
  pen.moveTo(x0, y - FLAG_PX);
  pen.lineTo(x0 + FLAG_PX / 2, y);
  pen.lineTo(x0 - FLAG_PX / 2, y);
  pen.closePath();
  pen.fillStyle = severity === 'critical' ? palette.lost : palette.page;
  pen.fill();
  pen.stroke();
}

/** The problem under the pointer, on the row of its lock; the newest of several. */
export function verdictAt(scene: Scene, x: number, y: number): VerdictMark | undefined {
  const found = scene.rows.find(({ row }) => row.kind === 'lock' && y >= row.y && y < row.y + row.height);
  if (!found?.track || y < found.row.y + FLAG_BOTTOM_PX - FLAG_PX - NEAR_PX) return undefined;
  const { verdicts } = found.track;
  const last = firstFrom(verdicts, scene.scale.span.to + 1, ({ from }) => from) - 1;
  for (let i = last; i >= 0; i--) {
    const mark = verdicts[i];
    if (!mark) break;
    const { x0, x1 } = endsOf(mark, scene);
    if (x >= x0 - NEAR_PX && x <= x1 + NEAR_PX) return mark;
  }
  return undefined;
}
