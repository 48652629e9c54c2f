import { type Millis, millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';

/**
 * A position in the show: an instant of Redis's clock, and how much of a beat's animation has been shown while that
 * clock was stopped. The same position always gives the same picture.
 */
export type Position = {
  readonly at: RedisTime;
  /** Id of the current or last beat; null before the first. */
  readonly beat: string | null;
  /** Screen time since the clock reached that beat and stopped, in ms. */
  readonly heldMs: Millis;
};

/** The beginning of a run. */
export function startOf(storyboard: Storyboard): Position {
  return { at: storyboard.run.from, beat: null, heldMs: 0 };
}

/**
 * The position where a beat has been shown completely; stepping leads there. The time lens is open at its last mark.
 */
export function positionOf(beat: Beat): Position {
  const { endMs, holdMs } = beat.animation;
  return { at: beat.at, beat: beat.id, heldMs: beat.lens ? holdMs - 1 : endMs };
}

/** Index of the position's beat; -1 before the first. */
export function beatIndex(storyboard: Storyboard, position: Position): number {
  if (position.beat === null) return -1;
  return storyboard.beats.findLastIndex(({ id }) => id === position.beat);
}

/** The time of a beat's animation at a position; negative while its requests are on their way. */
export function animatedMs(beat: Beat, position: Position): Millis {
  const held = position.beat === beat.id ? position.heldMs : 0;
  return held + millisBetween(beat.at, position.at);
}

/** The number of moments that have landed at a position. */
export function landedCount(storyboard: Storyboard, position: Position): number {
  const index = beatIndex(storyboard, position);
  const current = storyboard.beats[index];
  const next = storyboard.beats[index + 1];
  if (current && animatedMs(current, position) < current.animation.landMs) return current.moment;
  const limit = next?.moment ?? storyboard.reported.length;
  let count = current ? current.moment + 1 : 0;
  while (count < limit && (storyboard.reported[count]?.moment.at ?? Number.POSITIVE_INFINITY) <= position.at) count++;
  return count;
}
