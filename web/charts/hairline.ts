/** The instant under the pointer in µs, shared with other panels. It moves without rerendering. */
export type Hairline = {
  readonly at: () => number | null;
  /** Calls `listener` at each move. Returns the function that unsubscribes it. */
  readonly subscribe: (listener: (at: number | null) => void) => () => void;
  readonly move: (at: number | null) => void;
};

/** Space beside the plot of every trend, so that an instant has the same x in all charts. */
export const PLOT_LEFT_PX = 52;
export const PLOT_RIGHT_PX = 8;

/** Returns the instant at the pixel `x` of a chart; null outside of its plot. */
export function instantAt(x: number, width: number, from: number, to: number): number | null {
  const room = width - PLOT_LEFT_PX - PLOT_RIGHT_PX;
  if (room <= 0 || x < PLOT_LEFT_PX || x > width - PLOT_RIGHT_PX) return null;
  return from + ((x - PLOT_LEFT_PX) / room) * (to - from);
}

/** Returns the pixel of an instant in a chart; null if the chart does not contain it. */
export function pixelAt(at: number, width: number, from: number, to: number): number | null {
  if (at < from || at > to) return null;
  return PLOT_LEFT_PX + ((at - from) / (to - from)) * (width - PLOT_LEFT_PX - PLOT_RIGHT_PX);
}

/** Returns the left edge of a reading of that width beside `x`: right of it, or moved left to stay inside the chart. */
export function readingLeft(x: number, width: number, readingWidth: number): number {
  return Math.round(Math.max(0, Math.min(width - readingWidth, x + 6)));
}
