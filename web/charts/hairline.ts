/** The instant under the pointer, shared with other panels: it moves without any render. Instants in µs. */
export type Hairline = {
  readonly at: () => number | null;
  /** Calls `listener` at each move until the function given back is called. */
  readonly subscribe: (listener: (at: number | null) => void) => () => void;
  readonly move: (at: number | null) => void;
};

/** Room beside the plot of every trend, so that equal instants stand above each other. */
export const PLOT_LEFT_PX = 44;
export const PLOT_RIGHT_PX = 8;

/** The instant at a pixel of a chart `width` wide; null beside its plot. */
export function instantAt(x: number, width: number, from: number, to: number): number | null {
  const room = width - PLOT_LEFT_PX - PLOT_RIGHT_PX;
  if (room <= 0 || x < PLOT_LEFT_PX || x > width - PLOT_RIGHT_PX) return null;
  return from + ((x - PLOT_LEFT_PX) / room) * (to - from);
}

/** The pixel of an instant in a chart `width` wide; null where it lies outside. */
export function pixelAt(at: number, width: number, from: number, to: number): number | null {
  if (at < from || at > to) return null;
  return PLOT_LEFT_PX + ((at - from) / (to - from)) * (width - PLOT_LEFT_PX - PLOT_RIGHT_PX);
}
