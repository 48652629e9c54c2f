import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Beat, Storyboard } from '../beats/beats-from-events.ts';
import { type Caption, isCount, isKnown } from '../captions/caption.ts';
import { beatIndex, landedCount, type Position, positionOf, startOf } from './position.ts';

/** The position of the show, and whether it is playing. */
export type Playback = {
  readonly position: Position;
  readonly isPlaying: boolean;
  /** How long the newest caption has been shown, in screen time; negative until its event lands. */
  readonly readMs: Millis;
};

export type Pace = {
  /** Redis's clock minus a short delay: everything before it is known. */
  readonly edge: RedisTime;
  /** Factor for screen time: 0.25 to 4. */
  readonly speed: number;
  /** No script is played: captions have no minimum time, and the stage catches up faster. */
  readonly isFree: boolean;
};

/** A caption is shown at least this long before the next one. */
export const READ_MS = 1400;
/** On a quiet stage, the clock stops this long after the last event. */
const REST_MS = 1200;
/** A longer quiet range is skipped, except for its last second. */
const QUIET_MS = 3000;
const BEFORE_NEXT_MS = 1000;
/** While a stage without a script is more than `BEHIND_MS` behind the edge, its clock runs this many times as fast. */
const CATCH_UP_RATE = 3;
const BEHIND_MS = 500;

/**
 * The show some screen milliseconds later.
 *
 *   Redis   ──A────────────B·C·D─────────E──────▶ edge
 *   stage   ──A──[hold]────B──[hold]──C──[hold]──D──[hold]──────E      no beat is passed unseen
 *
 * The clock of the stage runs at the speed of Redis's clock, is stopped while a beat is animated, and never passes the
 * edge.
 */
export function advanced(playback: Playback, screenMs: Millis, storyboard: Storyboard, pace: Pace): Playback {
  if (!playback.isPlaying) return playback;
  let { position, readMs } = playback;
  let left = screenMs * pace.speed;
  // each turn uses up time, skips a quiet range or moves to the next beat; the limit only prevents an endless loop
  for (let turn = 0; left > 0 && turn < 200; turn++) {
    const index = beatIndex(storyboard, position);
    const beat = storyboard.beats[index];
    const next = nextWithin(storyboard, index, pace.edge);
    const hold = beat ? beat.animation.holdMs - position.heldMs : 0;
    if (hold > 0) {
      const used = Math.min(hold, left);
      position = { ...position, heldMs: position.heldMs + used };
      readMs += used;
      left -= used;
      continue;
    }
    const until = limitOf(storyboard, index, next, position, readMs, pace);
    const room = millisBetween(position.at, until);
    if (next && until >= next.at && room <= 0) {
      position = { at: next.at, beat: next.id, heldMs: 0 };
      if (next.caption) readMs = -next.animation.landMs;
      if (next.animation.holdMs <= 0) break; // the rest of a long frame would pass it unseen
      continue;
    }
    const jump = skipTo(storyboard, next, position, pace);
    if (jump !== null) {
      position = { ...position, at: jump };
      continue;
    }
    const rate = pace.isFree && millisBetween(position.at, pace.edge) > BEHIND_MS ? CATCH_UP_RATE : 1;
    if (room <= 0) {
      readMs += left;
      break;
    }
    const used = Math.min(left, room / rate);
    // the last step ends exactly at the limit, because beats are instants
    const at = used * rate >= room ? until : plusMillis(position.at, used * rate);
    position = { ...position, at };
    readMs += used;
    left -= used;
  }
  return { ...playback, position, readMs };
}

function nextWithin(storyboard: Storyboard, index: number, edge: RedisTime): Beat | null {
  const next = storyboard.beats[index + 1];
  return next && next.at <= edge ? next : null;
}

/**
 * How far the clock may run: to the next beat, or, while the caption must still be shown, to the beat's first request.
 */
function limitOf(
  storyboard: Storyboard,
  index: number,
  next: Beat | null,
  position: Position,
  readMs: Millis,
  pace: Pace,
): RedisTime {
  if (!next) return restOf(storyboard, position, pace.edge);
  if (pace.isFree || next.caption === null || readMs >= READ_MS || index < 0) return next.at;
  const shown = captionBefore(storyboard, index);
  if (isKnown(shown) || (isCount(next.caption) && isCount(shown))) return next.at;
  const firstMove = Math.min(0, ...next.animation.moves.map(({ startMs }) => startMs));
  const limit = redisTime(Math.max(position.at, plusMillis(next.at, firstMove)));
  return limit >= next.at ? redisTime(next.at - 1) : limit;
}

function captionBefore(storyboard: Storyboard, index: number): Caption | null {
  return storyboard.beats.slice(0, index + 1).findLast(({ caption }) => caption !== null)?.caption ?? null;
}

/** Without a next beat, the clock may run to the edge. On a quiet stage, it stops shortly after the last moment. */
function restOf(storyboard: Storyboard, position: Position, edge: RedisTime): RedisTime {
  if (!isQuiet(storyboard, position)) return edge;
  const last = storyboard.reported.findLast(({ moment }) => moment.at <= edge)?.moment.at ?? storyboard.run.from;
  return redisTime(Math.min(edge, plusMillis(last, REST_MS)));
}

function skipTo(storyboard: Storyboard, next: Beat | null, position: Position, pace: Pace): RedisTime | null {
  if (!next || next.at > pace.edge || !isQuiet(storyboard, position)) return null;
  return millisBetween(position.at, next.at) > QUIET_MS ? plusMillis(next.at, -BEFORE_NEXT_MS) : null;
}

function isQuiet(storyboard: Storyboard, position: Position): boolean {
  const world = storyboard.reported[landedCount(storyboard, position) - 1]?.after;
  const isInUse = [...(world?.locks.values() ?? [])].some(
    ({ holders, waiters }) => holders.length > 0 || waiters.some(({ presumedGoneAt }) => presumedGoneAt === null),
  );
  const isTaken = [...(world?.locals.values() ?? [])].some(({ takenBy }) => takenBy !== null);
  return !isInUse && !isTaken && (world?.beliefs.length ?? 0) === 0;
}

/** The playback one beat forward or back, paused there. */
export function stepped(playback: Playback, storyboard: Storyboard, by: 1 | -1, edge: RedisTime): Playback {
  const index = beatIndex(storyboard, playback.position);
  const current = storyboard.beats[index];
  // after a beat, one step back leads to the beginning of that beat
  const isPast = current !== undefined && playback.position.at > current.at;
  const wanted = by === 1 ? index + 1 : isPast ? index : index - 1;
  const beat = storyboard.beats[wanted];
  const paused = { ...playback, isPlaying: false, readMs: READ_MS };
  if (wanted < 0) return { ...paused, position: startOf(storyboard) };
  if (!beat || beat.at > edge) return { ...paused };
  return { ...paused, position: positionOf(beat) };
}

/** The position at the end of everything known: the newest beat, completely shown. */
export function atEdge(storyboard: Storyboard, edge: RedisTime): Position {
  const beat = storyboard.beats.findLast(({ at }) => at <= edge);
  if (!beat) return { ...startOf(storyboard), at: redisTime(Math.max(storyboard.run.from, edge)) };
  const position = positionOf(beat);
  return { ...position, at: redisTime(Math.max(beat.at, restOf(storyboard, position, edge))) };
}
