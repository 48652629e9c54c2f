import { dayTimeOf } from '../../ui/zone.ts';
import type { IdlePiece, Scale } from './scale.ts';

/** A line of the ruler. `label` is empty if there is no room. */
export type Tick = { readonly at: number; readonly x: number; readonly label: string };

const STEPS_MS = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000,
  15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
];
const APART_PX = 88;
/** The width of a label. */
const LABEL_PX = 66;

/** The ruler: round instants of the chosen time zone, at least `APART_PX` apart, or one hour apart in a long view. */
export function ticksOf(scale: Scale, offsetMinutes: number): Tick[] {
  const stepMs = STEPS_MS.find((ms) => ms * 1000 * scale.pxPerMicro >= APART_PX) ?? 3_600_000;
  const step = stepMs * 1000;
  const shift = offsetMinutes * 60_000_000;
  const ticks: Tick[] = [];
  const first = Math.ceil((scale.span.from - shift) / step) * step + shift;
  let lastX = Number.NEGATIVE_INFINITY;
  for (let at = first; at <= scale.span.to && ticks.length < 200; at += step) {
    if (scale.idle.some((piece) => at > piece.from && at < piece.to)) continue;
    const x = scale.x(at);
    const hasRoom = x - lastX >= APART_PX * 0.8 && !scale.idle.some((piece) => isBeside(x, piece));
    ticks.push({ at, x, label: hasRoom ? tickText(at, stepMs) : '' });
    if (hasRoom) lastX = x;
  }
  return ticks;
}

/** The length of a collapsed range is written in its middle, in up to this width. */
const LENGTH_PX = 80;

/** Whether the label of a tick would overlap the length of a collapsed range. */
function isBeside(x: number, { x0, x1 }: IdlePiece): boolean {
  const middle = (x0 + x1) / 2;
  return x < middle + LENGTH_PX / 2 && x + LABEL_PX > middle - LENGTH_PX / 2;
}

function tickText(at: number, stepMs: number): string {
  const { hour, minute, second } = dayTimeOf(at);
  const twoDigits = (n: number) => String(n).padStart(2, '0');
  const clock = `${twoDigits(hour)}:${twoDigits(minute)}`;
  if (stepMs >= 60_000) return clock;
  const seconds = `${clock}:${twoDigits(second)}`;
  if (stepMs >= 1000) return seconds;
  const micros = String(Math.floor(((at % 1_000_000) + 1_000_000) % 1_000_000)).padStart(6, '0');
  if (stepMs >= 1) return `:${twoDigits(second)}.${micros.slice(0, 3)}`;
  return `.${micros.slice(0, 3)}\u2009${micros.slice(3)}`;
}
