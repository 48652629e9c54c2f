import { type Finding, finding } from '../finding.ts';
import type { ClockBounds, Readings } from '../readings.ts';
import { unread } from '../remedy.ts';

/** Clocks that differ by less agree well enough for leases and queues of fair locks. */
const CLOSE_MS = 1000;

/** Compares the clock of Redis with the clock of this machine. */
export function checkClock(readings: Readings): Finding {
  const { clock } = readings;
  if ('refused' in clock) return unread('clock', readings, clock.refused);
  const { lowMs, highMs } = clock.value;
  const bounds = { lowMs, highMs };
  const read = [{ name: 'TIME', value: boundsText(bounds) }];
  if (lowMs > -CLOSE_MS && highMs < CLOSE_MS) return finding('clock', 'good', 'clock-close', bounds, read);
  if (highMs <= -CLOSE_MS || lowMs >= CLOSE_MS) return finding('clock', 'warning', 'clock-apart', bounds, read);
  return finding('clock', 'unknown', 'clock-unclear', bounds, read);
}

/** `+0.1 … +0.9 ms`. */
function boundsText({ lowMs, highMs }: ClockBounds): string {
  return `${signed(lowMs)} … ${signed(highMs)} ms`;
}

function signed(ms: number): string {
  const rounded = Math.abs(ms) < 10 ? ms.toFixed(1) : ms.toFixed(0);
  return ms > 0 ? `+${rounded}` : rounded.replace('-', '−');
}

/** One TIME: when it was sent and answered by this machine's clock, and what Redis answered; all in milliseconds. */
export type TimeSample = { readonly sentMs: number; readonly answeredMs: number; readonly redisMs: number };

/** The bounds of the difference: Redis read its clock after each command was sent and before its answer arrived. */
export function clockBounds(samples: readonly TimeSample[]): ClockBounds {
  const lowMs = Math.max(...samples.map(({ redisMs, answeredMs }) => redisMs - answeredMs));
  const highMs = Math.min(...samples.map(({ redisMs, sentMs }) => redisMs - sentMs));
  // If a clock was set between two samples, no difference fits all of them: then the whole range is possible.
  if (lowMs <= highMs) return { lowMs, highMs };
  return {
    lowMs: Math.min(...samples.map(({ redisMs, answeredMs }) => redisMs - answeredMs)),
    highMs: Math.max(...samples.map(({ redisMs, sentMs }) => redisMs - sentMs)),
  };
}
