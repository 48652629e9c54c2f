import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { isLaneInView } from '../layout/quiet.ts';
import { laneKey } from '../layout/rows.ts';
import type { LockTracks } from '../model/lock-tracks.ts';
import { isSameSet, type TimelineState } from './timeline-state.ts';

/** The parts of a timeline that decide which lanes are folded. */
type Foldable = {
  readonly tracks: Pick<LockTracks, 'get'>;
  get(): TimelineState;
  set(part: Pick<TimelineState, 'folded'>): void;
  view(): TimeSpan;
  now(): RedisTime;
  isLive(): boolean;
};

/** While live, a lane is folded after it has been empty for at least this long, so that the lanes do not jump. */
const LIVE_MICROS = 60_000_000;

/** Folds the lanes without anything in the view into one row for each lock. */
export function foldLanes(timeline: Foldable): void {
  setFolded(timeline, emptyLanes(timeline));
}

/** Unfolds the lanes that have something in the view again. */
export function unfoldLanes(timeline: Foldable): void {
  setFolded(timeline, stillEmpty(timeline));
}

function setFolded(timeline: Foldable, folded: ReadonlySet<string>): void {
  if (!isSameSet(folded, timeline.get().folded)) timeline.set({ folded });
}

/** The keys of all lanes of open locks that have nothing in the view. The focused lane is never one of them. */
function emptyLanes(timeline: Foldable): ReadonlySet<string> {
  const { focus } = timeline.get();
  const view = foldView(timeline);
  const found = new Set<string>();
  for (const [key, isEmpty] of lanesOf(timeline, view)) if (isEmpty && key !== focus) found.add(key);
  return found;
}

/** The folded lanes that still have nothing in the view. */
function stillEmpty(timeline: Foldable): ReadonlySet<string> {
  const { folded, focus } = timeline.get();
  const found = new Set<string>();
  if (folded.size === 0) return found;
  for (const [key, isEmpty] of lanesOf(timeline, timeline.view(), folded)) {
    if (isEmpty && key !== focus) found.add(key);
  }
  return found;
}

/** Each lane of the open locks, or each of `only`, and whether it is empty. */
function* lanesOf(timeline: Foldable, view: TimeSpan, only?: ReadonlySet<string>): Generator<[string, boolean]> {
  const now = timeline.now();
  const { open, onlyLock, order } = timeline.get();
  const shown = onlyLock === '' ? open : order.filter((id) => nameInId(id) === onlyLock);
  for (const id of shown) {
    for (const lane of timeline.tracks.get(id, Date.now())?.lanes ?? []) {
      const key = laneKey(id, lane.holder);
      if (only === undefined || only.has(key)) yield [key, !isLaneInView(lane, view, now)];
    }
  }
}

function foldView(timeline: Foldable): TimeSpan {
  const view = timeline.view();
  return timeline.isLive() ? { ...view, from: redisTime(Math.min(view.from, timeline.now() - LIVE_MICROS)) } : view;
}
