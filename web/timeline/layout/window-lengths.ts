import type { TimeSpan } from '../../data/window/time-span.ts';

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

/** Returns the window with the length of a view, within 2 µs; an empty text if no window has it. */
export function windowOfLength({ from, to }: TimeSpan): WindowLength | '' {
  const found = Object.entries(MICROS).find(([, micros]) => Math.abs(to - from - micros) <= 2);
  return found ? (found[0] as WindowLength) : ''; // the keys of MICROS are windows
}
