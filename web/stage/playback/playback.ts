import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Beat, Storyboard } from '../script/beats-from-events.ts';
import { beatIndex, landedCount, type Position, positionOf, startOf } from './position.ts';

/** Where the show stands and how it goes on. */
export type Playback = {
  readonly position: Position;
  readonly isPlaying: boolean;
  /** Screen time the newest caption has been up. */
  readonly readMs: Millis;
};

export type Pace = {
  /** Redis's clock minus a little: what is before it is known. */
  readonly edge: RedisTime;
  /** Screen time × this: ×0.25 … ×4. */
  readonly speed: number;
  /** Nobody reads a script: captions need not stand, and what is behind is caught up with. */
  readonly isFree: boolean;
};

/** A caption stands at least this long before the next one. */
export const READ_MS = 1400;
/** After its last event the clock of a quiet stage goes on for this long. */
const REST_MS = 1200;
/** A quiet stretch longer than this is skipped, but for its last second. */
const QUIET_MS = 3000;
const BEFORE_NEXT_MS = 1000;
const CATCH_UP = 3;
const BEHIND_MS = 500;

/**
 * The show some screen milliseconds later.
 *
 *   Redis   ──A────────────B·C·D─────────E──────▶ edge
 *   stage   ──A──[hold]────B──[hold]──C──[hold]──D──[hold]──────E      no beat is passed unseen
 *
 * The clock of the stage runs as Redis's did, stands still while a beat is performed, and never passes the edge.
 */
export function advanced(playback: Playback, screenMs: Millis, score: Storyboard, pace: Pace): Playback {
  if (!playback.isPlaying) return playback;
  let { position, readMs } = playback;
  let left = screenMs * pace.speed;
  // each turn uses up time, or passes on to the next beat: there are no more turns than that
  for (let turn = 0; left > 0 && turn < 200; turn++) {
    const index = beatIndex(score, position);
    const beat = score.beats[index];
    const next = nextWithin(score, index, pace.edge);
    const hold = beat ? beat.performance.holdMs - position.heldMs : 0;
    if (hold > 0) {
      const used = Math.min(hold, left);
      position = { ...position, heldMs: position.heldMs + used };
      readMs += used;
      left -= used;
      continue;
    }
    const until = limitOf(score, index, next, position, readMs, pace);
    const room = millisBetween(position.at, until);
    if (next && until >= next.at && room <= 0) {
      position = { at: next.at, beat: next.id, heldMs: 0 };
      if (next.caption) readMs = 0;
      if (next.performance.holdMs <= 0) continue;
      continue;
    }
    const jump = skipTo(score, next, position, pace);
    if (jump !== null) {
      position = { ...position, at: jump };
      continue;
    }
    const rate = pace.isFree && millisBetween(position.at, pace.edge) > BEHIND_MS ? CATCH_UP : 1;
    if (room <= 0) {
      readMs += left;
      break;
    }
    const used = Math.min(left, room / rate);
    // the last step lands exactly: beats are instants
    const at = used * rate >= room ? until : plusMillis(position.at, used * rate);
    position = { ...position, at };
    readMs += used;
    left -= used;
  }
  return { ...playback, position, readMs };
}

/** The next beat, when it is known by now. */
function nextWithin(score: Storyboard, index: number, edge: RedisTime): Beat | null {
  const next = score.beats[index + 1];
  return next && next.at <= edge ? next : null;
}

/** How far the clock may run: to the next beat, but not into its requests while the caption before is still read. */
function limitOf(
  score: Storyboard,
  index: number,
  next: Beat | null,
  position: Position,
  readMs: Millis,
  pace: Pace,
): RedisTime {
  if (!next) return restOf(score, position, pace.edge);
  if (pace.isFree || next.caption === null || readMs >= READ_MS || index < 0) return next.at;
  const firstMove = Math.min(0, ...next.performance.moves.map(({ startMs }) => startMs));
  const limit = redisTime(Math.max(position.at, plusMillis(next.at, firstMove)));
  return limit >= next.at ? redisTime(next.at - 1) : limit;
}

/** Where nobody holds and nobody waits there is nothing to see: the clock rests after the last event. */
function restOf(score: Storyboard, position: Position, edge: RedisTime): RedisTime {
  if (!isQuiet(score, position)) return edge;
  const last = score.told.findLast(({ moment }) => moment.at <= edge)?.moment.at ?? score.run.from;
  return redisTime(Math.min(edge, plusMillis(last, REST_MS)));
}

function skipTo(score: Storyboard, next: Beat | null, position: Position, pace: Pace): RedisTime | null {
  if (!next || next.at > pace.edge || !isQuiet(score, position)) return null;
  return millisBetween(position.at, next.at) > QUIET_MS ? plusMillis(next.at, -BEFORE_NEXT_MS) : null;
}

function isQuiet(score: Storyboard, position: Position): boolean {
  const world = score.told[landedCount(score, position) - 1]?.after;
  const isInUse = [...(world?.locks.values() ?? [])].some(
    ({ holders, waiters }) => holders.length > 0 || waiters.some(({ presumedGoneAt }) => presumedGoneAt === null),
  );
  const isTaken = [...(world?.locals.values() ?? [])].some(({ takenBy }) => takenBy !== null);
  return !isInUse && !isTaken && (world?.beliefs.length ?? 0) === 0;
}

/** One beat on, or one back; stands still there. */
export function stepped(playback: Playback, score: Storyboard, by: 1 | -1, edge: RedisTime): Playback {
  const index = beatIndex(score, playback.position);
  const current = score.beats[index];
  // back from the middle of a stretch leads to the beat it began with
  const isPast = current !== undefined && playback.position.at > current.at;
  const wanted = by === 1 ? index + 1 : isPast ? index : index - 1;
  const beat = score.beats[wanted];
  const paused = { ...playback, isPlaying: false, readMs: READ_MS };
  if (wanted < 0) return { ...paused, position: startOf(score) };
  if (!beat || beat.at > edge) return { ...paused };
  return { ...paused, position: positionOf(beat) };
}

/** The end of everything known: the newest beat, all of it shown. */
export function atEdge(score: Storyboard, edge: RedisTime): Position {
  const beat = score.beats.findLast(({ at }) => at <= edge);
  if (!beat) return { ...startOf(score), at: redisTime(Math.max(score.run.from, edge)) };
  const position = positionOf(beat);
  return { ...position, at: redisTime(Math.max(beat.at, restOf(score, position, edge))) };
}
