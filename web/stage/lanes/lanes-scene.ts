import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { GoneSince } from '../../../shared/insights/renewals.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { type BlindSpot, blindSpotsFrom } from '../../data/window/blind-spots.ts';
import { KEY_ROW_PX, THREAD_ROW_PX } from '../../timeline/layout/metrics.ts';
import { laneKey, markTop, type Row } from '../../timeline/layout/rows.ts';
import { makeScale, type Scale } from '../../timeline/layout/scale.ts';
import { type Scene, type SceneRow, sceneFrom } from '../../timeline/layout/scene.ts';
import type { Tick } from '../../timeline/layout/ticks.ts';
import { arrowsFromEvents } from '../../timeline/model/arrows-from-events.ts';
import type { Lane, SpanMark, Track } from '../../timeline/model/marks.ts';
import { trackFromEvents } from '../../timeline/model/track-from-events.ts';
import type { Words } from '../../words/words.ts';
import type { Storyboard } from '../beats/beats-from-events.ts';
import { keyOfLock, lockOfEvent } from '../script/run.ts';
import { scenarioRow } from '../script/scenario-table.ts';
import { type Beliefs, beliefsFromMoments } from './belief-marks.ts';

/** The timeline below the cards, laid out for one instant. */
export type LanesScene = {
  readonly scene: Scene;
  readonly ticks: readonly { readonly at: number; readonly x: number; readonly second: number }[];
  readonly height: number;
  readonly cursorX: number;
  /** Marks and words are drawn up to here. */
  readonly drawnX: number;
  /** The places of renewals that did not come. */
  readonly missing: readonly { readonly x: number; readonly top: number }[];
};

type LanesInput = {
  readonly storyboard: Storyboard;
  readonly tracks: readonly Track[];
  readonly at: RedisTime;
  /** The end of open bars. */
  readonly now: RedisTime;
  readonly width: number;
  readonly words: Words;
};

/** How many seconds are shown if the length of the run is not known, and at least on a narrow stage. */
const USUAL_S = 30;
const NARROWEST_S = 10;
/** A second is at least this wide, unless fewer than the fewest seconds would fit. */
const SECOND_PX = 24;
/** A track before its first event. */
const NOTHING = { lease: [], counter: [], arrows: [], expiries: [], verdicts: [], events: [] };
/** Room after the last event. */
const AFTER_S = 2;
/** When the cursor has come this far to the right, the picture moves instead. */
const CURSOR_SHARE = 0.8;
/**
 * As `CURSOR_SHARE`, for a run that usually fits as a whole: the picture moves only if the run takes longer than usual.
 */
const WHOLE_SHARE = 0.98;
const BEFORE_MICROS = 400_000;
/** The more rows, the lower they are. */
const ROW_SIZES = [
  // a lock and two threads
  { most: 3, key: KEY_ROW_PX, thread: THREAD_ROW_PX },
  { most: 8, key: 62, thread: 42 },
  // a crowd
  { most: Number.POSITIVE_INFINITY, key: 62, thread: 30 },
] as const;
/** The minimum width between two ticks of the ruler. */
const TICK_PX = 48;

/**
 * The track since the run began of each lock that has an event, in the order of the stage. Lanes are in order of first
 * appearance.
 */
export function tracksOf({ run, reported }: Pick<Storyboard, 'run' | 'reported'>): Track[] {
  return run.locks.flatMap((lock) => {
    const isMine = (event: LockEvent) => lockOfEvent({ locks: [lock] }, event) !== null;
    const named = run.events.find(isMine);
    if (!named) return [];
    const own = run.events.filter((event) => isOfSource(event) || isMine(event));
    const track = trackFromEvents(lockIdOf(named), own);
    const beliefs = beliefsFromMoments(reported, keyOfLock(lock));
    const lanes = track.lanes.map((lane) => withWakingWaits(withBeliefs(lane, beliefs), own));
    return [{ ...track, lanes, arrows: arrowsFromEvents(own) }];
  });
}

/**
 * The same tracks, with only the first `landed` moments: a stage that draws more gives its answer away. Lanes keep
 * their place.
 */
export function tracksUntil({ run, reported }: Storyboard, whole: readonly Track[], landed: number): Track[] {
  const shown = reported.slice(0, landed);
  const events = shown.flatMap(({ moment }) => (moment.kind === 'event' ? [moment.event] : []));
  const parts = tracksOf({ run: { ...run, events }, reported: shown });
  return whole.map((track) => {
    const part = parts.find(({ id }) => id === track.id);
    const lanes = track.lanes.map(
      ({ holder }) => part?.lanes.find((lane) => lane.holder === holder) ?? { holder, spans: [], points: [], runs: [] },
    );
    const { leaseMs, counterTop } = track; // heights do not change while it plays
    return { ...track, ...(part ?? NOTHING), lanes, leaseMs, counterTop };
  });
}

/**
 * The lane with what its thread believes. After a failover, a belief is drawn from the last moment at which the hold
 * was seen. The holder learned nothing of its loss in the range that was not watched.
 */
function withBeliefs(lane: Lane, { marks, together }: Beliefs): Lane {
  const inRedis = lane.spans.filter((span) => span.kind !== 'hold' || !span.belief);
  const believed = marks.flatMap((mark): SpanMark[] => {
    if (mark.holder !== lane.holder) return [];
    const ends = inRedis.flatMap(({ kind, to }) => (kind === 'hold' && to !== null && to <= mark.from ? [to] : []));
    return [{ ...mark, from: ends.at(-1) ?? mark.from }];
  });
  const ranges = together.get(lane.holder);
  const spans = [...inRedis, ...believed].sort((a, b) => a.from - b.from || a.seq - b.seq);
  if (!ranges) return { ...lane, spans };
  return { ...lane, spans: spans.map((span) => (span.kind === 'hold' ? { ...span, together: ranges } : span)) };
}

/**
 * Extends waits for a latch until their thread woke: the opening of the latch sends the message, and a thread
 * unsubscribes when it has received it.
 */
function withWakingWaits(lane: Lane, events: readonly LockEvent[]): Lane {
  const spans = lane.spans.map((span) => {
    if (span.kind !== 'wait' || span.mode !== 'latch' || span.to === null) return span;
    const { to } = span;
    if (!events.some(({ type, at }) => type === 'latch.opened' && at === to)) return span;
    const woken = events.find(
      (event) => event.type === 'waiter.unsubscribed' && event.holder === lane.holder && event.at >= to,
    );
    return { ...span, to: woken?.at ?? null };
  });
  return { ...lane, spans };
}

/** The ranges in which a source of these tracks was not watched, each once. */
function blindSpotsOf(tracks: readonly Track[]): BlindSpot[] {
  const bySource = new Map(tracks.map(({ source, events }) => [source, events]));
  return [...bySource.values()].flatMap((events) => blindSpotsFrom(events));
}

/**
 * The scene of an instant: a key lane and a lane per thread for each lock, and the cursor. The same instant gives the
 * same picture.
 */
export function lanesSceneAt({ storyboard, tracks, at, now, width, words }: LanesInput): LanesScene {
  const knownS = scenarioRow(storyboard.run.scenario)?.seconds;
  const wholeS = (knownS ?? USUAL_S) + AFTER_S;
  const lengthS = Math.min(wholeS, Math.max(NARROWEST_S, width / SECOND_PX));
  const share = knownS !== undefined && lengthS === wholeS ? WHOLE_SHARE : CURSOR_SHARE;
  const length = lengthS * 1_000_000;
  const start = storyboard.run.from - BEFORE_MICROS;
  const from = Math.max(start, at - length * share);
  const scale = makeScale({ from: redisTime(from), to: redisTime(from + length) }, width);
  const { rows, height } = rowsOf(tracks);
  const killed = storyboard.run.faults.filter(({ name }) => name === 'killed');
  const goneSince = new Map(killed.map(({ uuid, at: since }) => [uuid, redisTime(since)]));
  const scene = sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale,
    now: redisTime(Math.max(now, at)),
    goneSince: withOverdue(goneSince, storyboard),
    blindSpots: blindSpotsOf(tracks),
    trackOf: (id) => tracks.find((track) => track.id === id) ?? null,
    words,
  });
  return {
    scene: { ...scene, rows: scene.rows.map((row) => withoutGone(row, goneSince)) },
    ticks: ticksOf(scale, storyboard.run.from),
    height,
    cursorX: scale.x(at),
    drawnX: now > at ? width : scale.x(at),
    missing: missingIn(storyboard, rows, scale).filter(({ x }) => x <= scale.x(now)),
  };
}

/**
 * Since when each client renews nothing: killed clients as in `goneSince`, frozen and cut clients from their first
 * overdue renewal on.
 */
function withOverdue(goneSince: GoneSince, { reported }: Storyboard): GoneSince {
  const stopped = new Map(goneSince);
  for (const { moment } of reported) {
    if (moment.kind !== 'overdue') continue;
    const client = clientOf(moment.holder);
    if (!stopped.has(client)) stopped.set(client, moment.at);
  }
  return stopped;
}

/** The row, in which only the clients in `goneSince` are marked as gone, not those with an overdue renewal. */
function withoutGone(row: SceneRow, goneSince: GoneSince): SceneRow {
  const items = row.items.map((item) =>
    item.kind === 'hold' && !goneSince.has(clientOf(item.mark.holder)) ? { ...item, isClientGone: false } : item,
  );
  return { ...row, items };
}

/** Whether a bar of the track has no end yet, so that it grows with time. */
export function hasOpenBar({ lanes }: Track): boolean {
  return lanes.some(({ spans }) => spans.some(({ to }) => to === null));
}

/** The rows of all tracks: for each, the key lane and then the threads. */
export function rowsOf(tracks: readonly Track[]): { rows: Row[]; height: number } {
  const rows: Row[] = [];
  const count = tracks.reduce((sum, { lanes }) => sum + 1 + lanes.length, 0);
  const high = ROW_SIZES.find(({ most }) => count <= most) ?? ROW_SIZES[2];
  let y = 0;
  for (const { id: lockId, lanes } of tracks) {
    rows.push({ kind: 'key', key: `${lockId}?key`, lockId, y, height: high.key });
    y += high.key;
    lanes.forEach(({ holder }, lane) => {
      rows.push({
        kind: 'thread',
        key: laneKey(lockId, holder),
        lockId,
        lane,
        holder,
        y,
        height: high.thread,
      });
      y += high.thread;
    });
  }
  return { rows, height: y };
}

function ticksOf(scale: Scale, from: RedisTime): LanesScene['ticks'] {
  const ticks: { at: number; x: number; second: number }[] = [];
  const everyS = [1, 2, 5].find((seconds) => scale.pxPerMicro * seconds * 1_000_000 >= TICK_PX) ?? 5;
  const first = Math.max(0, Math.ceil((scale.span.from - from) / (everyS * 1_000_000)));
  for (let n = first; ; n++) {
    const at = from + n * everyS * 1_000_000;
    if (at > scale.span.to) return ticks;
    ticks.push({ at, x: scale.x(at), second: n * everyS });
  }
}

function missingIn(storyboard: Storyboard, rows: readonly Row[], scale: Scale): LanesScene['missing'] {
  return storyboard.reported.flatMap(({ moment }) => {
    if (moment.kind !== 'overdue') return [];
    const row = rows.find((each) => each.kind === 'thread' && each.holder === moment.holder);
    return row ? [{ x: scale.x(moment.at), top: markTop(row) }] : [];
  });
}

/** The ticks with labels, for the functions of the timeline. */
export function labelledTicks(ticks: LanesScene['ticks'], label: (second: number) => string): Tick[] {
  return ticks.map(({ at, x, second }) => ({ at, x, label: label(second) }));
}
