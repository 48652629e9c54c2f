import { type RedisTime, redisTime } from '../../shared/base/time.ts';

/** How fast a recording may be played. */
export const SPEEDS = [0.1, 0.5, 1, 2, 5, 10] as const;

/** The part of a recording that can be shown. */
export type Playable = { readonly from: RedisTime; readonly to: RedisTime };

/** The instant reached after `elapsedMs` of this machine's time have been played, at most the end. */
export function playedTo({ to }: Playable, at: RedisTime, elapsedMs: number, speed: number): RedisTime {
  return redisTime(Math.min(to, Math.round(at + elapsedMs * 1000 * speed)));
}

/** Where playing starts: at the cursor, or at the beginning if the cursor is at the end or before the beginning. */
export function startOfPlay({ from, to }: Playable, at: RedisTime): RedisTime {
  return at >= to || at < from ? from : at;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

/** The instant after a key press on the bar: 1 % or 10 % further or back, or one of the ends; null for another key. */
export function movedByKey({ from, to }: Playable, at: RedisTime, key: string): RedisTime | null {
  const part = STEPS[key];
  if (part === undefined) return null;
  return redisTime(Math.round(Math.min(to, Math.max(from, at + part * (to - from)))));
}
