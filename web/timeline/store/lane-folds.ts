import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { hasHoldInView, isLaneInView } from '../layout/quiet.ts';
import { laneKey } from '../layout/rows.ts';
import type { LockTracks } from '../model/lock-tracks.ts';
import type { Lane } from '../model/marks.ts';
import { isSameSet, type TimelineState } from './timeline-state.ts';

/** The parts of a timeline that decide which lanes are folded or low. */
export type Foldable = {
  readonly tracks: Pick<LockTracks, 'get'>;
  get(): TimelineState;
  set(part: Partial<Pick<TimelineState, 'folded' | 'wide'>>): void;
  view(): TimeSpan;
  now(): RedisTime;
  isLive(): boolean;
};

/** While live, a lane is folded after it has been empty for at least this long, so that the lanes do not jump. */
const LIVE_MICROS = 60_000_000;

/**
 * Folds the lanes without anything in the view into one row for each lock, except the focused lane. Makes lanes
 * without a hold in the view low.
 */
export function foldLanes(timeline: Foldable): void {
  const { focus } = timeline.get();
  const view = foldView(timeline);
  const now = timeline.now();
  const folded = new Set<string>();
  const wide = new Set<string>();
  for (const [key, lane] of lanesOf(timeline)) {
    if (key !== focus && !isLaneInView(lane, view, now)) folded.add(key);
    if (hasHoldInView(lane, view, now)) wide.add(key);
  }
  setFolds(timeline, folded, wide);
}

/** Unfolds the focused lane and lanes with something in the view, and makes lanes with a hold in the view high. */
export function unfoldLanes(timeline: Foldable): void {
  const { folded, focus, wide } = timeline.get();
  const view = timeline.view();
  const now = timeline.now();
  const [stillFolded, nowWide] = [new Set<string>(), new Set(wide)];
  for (const [key, lane] of lanesOf(timeline)) {
    if (folded.has(key) && key !== focus && !isLaneInView(lane, view, now)) stillFolded.add(key);
    if (!wide.has(key) && hasHoldInView(lane, view, now)) nowWide.add(key);
  }
  setFolds(timeline, stillFolded, nowWide);
}

function setFolds(timeline: Foldable, folded: ReadonlySet<string>, wide: ReadonlySet<string>): void {
  const before = timeline.get();
  if (!isSameSet(folded, before.folded)) timeline.set({ folded });
  if (!isSameSet(wide, before.wide)) timeline.set({ wide });
}

/** Each lane of the open locks, or of the only lock, by its key. */
function* lanesOf(timeline: Foldable): Generator<[string, Lane]> {
  const { open, onlyLock, order } = timeline.get();
  const shown = onlyLock === '' ? open : order.filter((id) => nameInId(id) === onlyLock);
  for (const id of shown) {
    for (const lane of timeline.tracks.get(id, Date.now())?.lanes ?? []) yield [laneKey(id, lane.holder), lane];
  }
}

function foldView(timeline: Foldable): TimeSpan {
  const view = timeline.view();
  return timeline.isLive() ? { ...view, from: redisTime(Math.min(view.from, timeline.now() - LIVE_MICROS)) } : view;
}
