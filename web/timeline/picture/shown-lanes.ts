import { nameInId } from '../../../shared/state/lock-state.ts';
import { linkKey, type Row } from '../layout/rows.ts';
import type { Lane } from '../model/marks.ts';
import type { TimelineStore } from '../store/timeline-store.ts';

/** The lanes of the locks in these rows, without lanes that the user has hidden. */
export function shownLanes(timeline: TimelineStore, rows: readonly Row[]): Lane[] {
  const { hidden } = timeline.get();
  return rows.flatMap((row) => {
    if (row.kind !== 'lock') return [];
    const lanes = timeline.tracks.get(row.lockId, Date.now())?.lanes ?? [];
    return lanes.filter(({ holder }) => !hidden.has(linkKey(row.lockId, holder)));
  });
}

/** The first `most` locks of the timeline, without locks that the user has hidden or that a link leaves out. */
export function shownLocks(timeline: TimelineStore, most: number): string[] {
  const { order, hidden, onlyLock } = timeline.get();
  const shown = order.filter((id) => !hidden.has(linkKey(id)) && (onlyLock === '' || nameInId(id) === onlyLock));
  return shown.slice(0, most);
}
