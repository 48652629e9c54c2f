import { type Millis, millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { Beat, Storyboard } from '../script/beats-from-events.ts';

/**
 * Where the show stands: an instant of Redis's clock, and how much of a beat's performance has been shown while that
 * clock stood still. The same position always gives the same picture.
 */
export type Position = {
  readonly at: RedisTime;
  /** Id of the beat performed last or just now; null before the first. */
  readonly beat: string | null;
  /** Screen time since the clock reached that beat and stood still, in ms. */
  readonly heldMs: Millis;
};

/** The beginning of a run. */
export function startOf(score: Storyboard): Position {
  return { at: score.run.from, beat: null, heldMs: 0 };
}

/** A beat when all of it has been shown: where stepping leads to. The time lens then stands open, at its last mark. */
export function positionOf(beat: Beat): Position {
  const { endMs, holdMs } = beat.performance;
  return { at: beat.at, beat: beat.id, heldMs: beat.lens ? holdMs - 1 : endMs };
}

/** Index of the position's beat; -1 before the first. */
export function beatIndex(score: Storyboard, position: Position): number {
  if (position.beat === null) return -1;
  return score.beats.findLastIndex(({ id }) => id === position.beat);
}

/** Screen time of a beat's performance at a position: negative while its requests are on their way. */
export function performedMs(beat: Beat, position: Position): Millis {
  const held = position.beat === beat.id ? position.heldMs : 0;
  return held + millisBetween(beat.at, position.at);
}

/** How many of the score's moments have landed at a position. */
export function landedCount(score: Storyboard, position: Position): number {
  const index = beatIndex(score, position);
  const current = score.beats[index];
  const next = score.beats[index + 1];
  if (current && performedMs(current, position) < current.performance.landMs) return current.moment;
  const limit = next?.moment ?? score.told.length;
  let count = current ? current.moment + 1 : 0;
  while (count < limit && (score.told[count]?.moment.at ?? Number.POSITIVE_INFINITY) <= position.at) count++;
  return count;
}
