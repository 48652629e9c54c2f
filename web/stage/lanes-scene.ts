import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { arrowsFromEvents } from '../timeline/arrows-from-events.ts';
import type { Track } from '../timeline/marks.ts';
import { KEY_ROW_PX, THREAD_ROW_PX } from '../timeline/metrics.ts';
import type { Row } from '../timeline/rows.ts';
import { makeScale, type Scale } from '../timeline/scale.ts';
import { type Scene, sceneFrom } from '../timeline/scene.ts';
import type { Tick } from '../timeline/ticks.ts';
import { trackFromEvents } from '../timeline/track-from-events.ts';
import type { Words } from '../words/words.ts';
import type { Score } from './beats-from-events.ts';

/** The timeline below the stage, laid out for one instant. */
export type LanesScene = {
  readonly scene: Scene;
  readonly ticks: readonly { readonly at: number; readonly x: number; readonly second: number }[];
  readonly height: number;
  readonly cursorX: number;
  /** Refills that did not come: where a triangle is missing. */
  readonly missing: readonly { readonly x: number; readonly top: number }[];
};

export type LanesWishes = {
  readonly score: Score;
  readonly track: Track;
  readonly at: RedisTime;
  /** What goes on ends here, on the picture. */
  readonly now: RedisTime;
  readonly width: number;
  readonly words: Words;
};

/** Seconds shown on a wide stage, and what one of them needs on a narrow one. */
const WIDEST_S = 30;
const NARROWEST_S = 10;
const SECOND_PX = 30;
/** How far right the cursor gets before the picture moves on. */
const CURSOR_SHARE = 0.8;
const BEFORE_MICROS = 400_000;

/** The lock's own marks since the run began; its lanes in order of first appearance. */
export function trackOf(events: readonly LockEvent[]): Track | null {
  const named = events.find((event) => event.lock !== '');
  if (!named) return null;
  const track = trackFromEvents(lockIdOf(named), events);
  return { ...track, arrows: arrowsFromEvents(events) };
}

/** Key lane, a lane per thread, and the second at which the show stands. The same instant gives the same picture. */
export function lanesSceneAt({ score, track, at, now, width, words }: LanesWishes): LanesScene {
  const lengthS = Math.min(WIDEST_S, Math.max(NARROWEST_S, width / SECOND_PX));
  const length = lengthS * 1_000_000;
  const start = score.run.from - BEFORE_MICROS;
  const from = Math.max(start, at - length * CURSOR_SHARE);
  const scale = makeScale({ from: redisTime(from), to: redisTime(from + length) }, width);
  const { rows, height } = rowsOf(track);
  const goneSince = new Map<string, RedisTime>();
  for (const { name, uuid, at: since } of score.run.faults)
    if (name === 'killed') goneSince.set(uuid, redisTime(since));
  const scene = sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale,
    now: redisTime(Math.max(now, at)),
    goneSince,
    blindSpots: [],
    trackOf: () => track,
    words,
  });
  return {
    scene,
    ticks: ticksOf(scale, score.run.from),
    height,
    cursorX: scale.x(at),
    missing: missingIn(score, rows, scale),
  };
}

/** The rows of a track: its key, then its threads. */
export function rowsOf(track: Track): { rows: Row[]; height: number } {
  const rows: Row[] = [{ kind: 'key', key: 'key', lockId: track.id, y: 0, height: KEY_ROW_PX }];
  let y = KEY_ROW_PX;
  track.lanes.forEach(({ holder }, lane) => {
    rows.push({
      kind: 'thread',
      key: `${track.id}#${holder}`,
      lockId: track.id,
      lane,
      holder,
      y,
      height: THREAD_ROW_PX,
    });
    y += THREAD_ROW_PX;
  });
  return { rows, height: y };
}

function ticksOf(scale: Scale, from: RedisTime): LanesScene['ticks'] {
  const ticks: { at: number; x: number; second: number }[] = [];
  const everyS = scale.pxPerMicro * 2_000_000 >= 44 ? 2 : 5;
  const first = Math.max(0, Math.ceil((scale.span.from - from) / (everyS * 1_000_000)));
  for (let n = first; ; n++) {
    const at = from + n * everyS * 1_000_000;
    if (at > scale.span.to) return ticks;
    ticks.push({ at, x: scale.x(at), second: n * everyS });
  }
}

function missingIn(score: Score, rows: readonly Row[], scale: Scale): LanesScene['missing'] {
  return score.told.flatMap(({ moment }) => {
    if (moment.kind !== 'overdue') return [];
    const row = rows.find((one) => one.kind === 'thread' && one.holder === moment.holder);
    return row ? [{ x: scale.x(moment.at), top: row.y }] : [];
  });
}

/** Ticks as the timeline's own drawing takes them. */
export function labelledTicks(ticks: LanesScene['ticks'], label: (second: number) => string): Tick[] {
  return ticks.map(({ at, x, second }) => ({ at, x, label: label(second) }));
}
