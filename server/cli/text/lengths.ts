import { isoText } from '../../../shared/base/time.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** A length of time in at most six columns: `12s`, `2m05s`, `3h12m`, `4d03h`, `412d`. */
export function lengthText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < MINUTE) return `${s}s`;
  if (s < HOUR) return `${Math.floor(s / MINUTE)}m${two(s % MINUTE)}s`;
  if (s < DAY) return `${Math.floor(s / HOUR)}h${two(Math.floor((s % HOUR) / MINUTE))}m`;
  const days = Math.floor(s / DAY);
  return days < 100 ? `${days}d${two(Math.floor((s % DAY) / HOUR))}h` : `${Math.min(days, 99_999)}d`;
}

/** As `lengthText`, for a countdown, with tenths of a second below a minute: `27.3s`. */
export function countdownText(ms: number): string {
  return ms < MINUTE * 1000 ? `${(Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1)}s` : lengthText(ms);
}

/** An instant of Redis time (µs) to the second: `10:41:03Z`. */
export function timeText(micros: number): string {
  return `${isoText(micros).slice(11, 19)}Z`;
}

/** As `timeText`, to the millisecond: `10:41:03.250Z`. */
export function millisText(micros: number): string {
  return isoText(micros).slice(11);
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
