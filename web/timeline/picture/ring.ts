import type { MarkBox } from '../draw/lanes/lane-mark.ts';
import { RULER_PX } from '../layout/metrics.ts';

/** The distance between the selected mark and its ring. */
const APART_PX = 3;
/** The line of the ring is outside its box by at most this. */
const LINE_PX = 4;

type RingStyle = Pick<CSSStyleDeclaration, 'transform' | 'width' | 'height' | 'clipPath'>;

/** The place of the ring around a selected mark. It is open where the mark goes on outside the plot. */
export function ringOf({ x, y, width, height }: MarkBox, plotWidth: number, scrollTop: number): RingStyle {
  const [left, top] = [x - APART_PX, y - APART_PX + RULER_PX - scrollTop];
  const [wide, high] = [width + 2 * APART_PX, height + 2 * APART_PX];
  const cut = [RULER_PX - top, left + wide - plotWidth, -LINE_PX, -left].map((px) => `${Math.max(-LINE_PX, px)}px`);
  return {
    transform: `translate(${left}px, ${top}px)`,
    width: `${wide}px`,
    height: `${high}px`,
    clipPath: `inset(${cut.join(' ')})`,
  };
}
