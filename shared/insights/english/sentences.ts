import type { Millis } from '../../base/time.ts';

/** Joins the sentences that apply. */
export function sentences(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join(' ');
}

/** A length of time in its largest unit: `0.7 s`, `45 s`, `13 min`, `2.5 h`. */
export function lengthText(ms: Millis): string {
  if (ms < 95) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 120_000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  if (ms < 7_200_000) return `${Math.floor(ms / 60_000)} min`;
  return `${Number((ms / 3_600_000).toFixed(1))} h`;
}
