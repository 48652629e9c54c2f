import { rowsFrom } from '../timeline/layout/rows.ts';
import type { Track } from '../timeline/model/marks.ts';

/** The rows of a picture with one open lock: all its lanes, nothing hidden. */
export function rowsOfTrack(track: Track): ReturnType<typeof rowsFrom> {
  return rowsFrom({
    order: [track.id],
    open: new Set([track.id]),
    quiet: new Set(),
    openQuiet: new Set(),
    hidden: new Set(),
    pinned: new Set(),
    holdersOf: () => track.lanes.map(({ holder }) => holder),
  });
}
