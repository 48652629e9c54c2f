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
