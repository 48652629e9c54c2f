import type { Millis } from '../../shared/base/time.ts';

/** A duration as people say it: `41 µs`, `3.2 ms`, `5.5 s`, `2 min 5 s`, `3 h 12 min`. */
export function durationText(ms: Millis): string {
  if (ms < 0) return `−${durationText(-ms)}`;
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 100) return `${trimmed(ms, 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const s = ms / 1000;
  if (s < 9.995) return `${trimmed(s, 2)} s`;
  if (s < 99.95) return `${trimmed(s, 1)} s`;
  const whole = Math.round(s);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}

/** A countdown: fixed tenths below a minute, so that the digits stand still. */
export function countdownText(ms: Millis): string {
  if (ms < 59_950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  return durationText(Math.round(ms / 1000) * 1000);
}

/** An age in whole units, calm enough to watch: `now`, `4 s`, `2 min 5 s`. */
export function ageText(ms: Millis): string {
  if (ms < 1000) return 'now';
  if (ms < 100_000) return `${Math.floor(ms / 1000)} s`;
  return durationText(ms);
}

/** The step from one event to the next: `+41 µs`, `−3 ms`. */
export function stepText(ms: Millis): string {
  return ms < 0 ? durationText(ms) : `+${durationText(ms)}`;
}

/** Time of day with microseconds, in the viewer's time zone: `12:04:31.000 282`. */
export function clockText(micros: number): string {
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const digits = String(Math.floor(rest)).padStart(6, '0');
  return `${secondsText(micros)}.${digits.slice(0, 3)}\u2009${digits.slice(3)}`;
}

/** Time of day to the second, in the viewer's time zone. */
export function secondsText(micros: number): string {
  const date = new Date(Math.floor(micros / 1000));
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}

/** The full instant, for titles: `2025-11-21T12:04:31.000282Z`. */
export function instantText(micros: number): string {
  const whole = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(Math.floor(micros % 1_000_000)).padStart(6, '0')}Z`;
}

/** A count with thousands separated: `1,240`. */
export function countText(n: number): string {
  return Math.round(n).toLocaleString('en-US');
}

/** `1 lock`, `2 locks`. */
export function countOf(n: number, one: string, many = `${one}s`): string {
  return `${countText(n)} ${n === 1 ? one : many}`;
}

function trimmed(n: number, digits: number): string {
  return n.toFixed(digits).replace(/\.?0+$/, '');
}
