import { redisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** What changes in a live picture besides the time. */
export type LiveActivity = {
  /** An event arrived in the last seconds. */
  readonly isBusy: boolean;
  /** A lock on screen is held or waited for: its bars grow and its lease falls. */
  readonly isOpen: boolean;
};

/** The shortest pause between two pictures while only open bars grow, and while only the time changes. */
const OPEN_MS = 250;
const STILL_MS = 1000;

/**
 * How long until the live picture must be drawn again, in ms. It moves by whole pixels, and slowly if nothing happens.
 */
export function restMs(lengthMicros: number, width: number, { isBusy, isOpen }: LiveActivity): number {
  const perPixel = lengthMicros / 1000 / Math.max(1, width);
  return Math.max(perPixel, isBusy ? 0 : isOpen ? OPEN_MS : STILL_MS);
}

/** The view moved back to a whole pixel, so that lines and words do not shimmer while it follows now. */
export function onWholePixels({ from, to }: TimeSpan, width: number): TimeSpan {
  const perPixel = (to - from) / Math.max(1, width);
  const start = Math.floor(Math.floor(from / perPixel) * perPixel);
  return { from: redisTime(start), to: redisTime(start + (to - from)) };
}
