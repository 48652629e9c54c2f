/** The lengths of view to choose from; `all` is everything in memory. */
export type WindowLength = '30s' | '5min' | '15min' | 'all';

const MICROS: Readonly<Record<Exclude<WindowLength, 'all'>, number>> = {
  '30s': 30_000_000,
  '5min': 300_000_000,
  '15min': 900_000_000,
};

/** The length of a window in microseconds; null for `all`. */
export function microsOf(window: WindowLength): number | null {
  return window === 'all' ? null : MICROS[window];
}
