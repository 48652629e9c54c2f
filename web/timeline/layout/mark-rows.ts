import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { endOf, type Mark, startOf, type Track } from '../model/marks.ts';
import { firstThatReaches } from './layout-lane.ts';

/** One mark as a row of the table. */
export type MarkRow = {
  readonly key: string;
  readonly track: Track;
  readonly mark: Mark;
  readonly at: RedisTime;
  readonly end: RedisTime;
};

/** The most rows of the table. If there are more, the rows farthest from the cursor are left out. */
const MOST_ROWS = 5000;

/**
 * Every mark of some tracks that touches a view, in order of time. If there are more than 5,000, only the nearest to
 * `cursor` (`isCut`). A hold that lasts at the cursor is near, even if it began long ago.
 */
export function marksInView(
  tracks: readonly Track[],
  view: TimeSpan,
  now: RedisTime,
  cursor: RedisTime,
): { rows: MarkRow[]; isCut: boolean } {
  const rows: MarkRow[] = [];
  const add = (track: Track, mark: Mark) =>
    rows.push({ key: `${track.id} ${mark.id}`, track, mark, at: startOf(mark), end: endOf(mark, now) });
  for (const track of tracks) {
    for (const lane of track.lanes) {
      for (let i = firstThatReaches(lane.spans, view.from); i < lane.spans.length; i++) {
        const span = lane.spans[i];
        if (!span || span.from > view.to) break;
        if (endOf(span, now) >= view.from) add(track, span);
      }
      for (const run of lane.runs) if (run.to >= view.from && run.from <= view.to) add(track, run);
      for (let i = firstFrom(lane.points, view.from, (point) => point.at); i < lane.points.length; i++) {
        const point = lane.points[i];
        if (!point || point.at > view.to) break;
        add(track, point);
      }
    }
  }
  const isCut = rows.length > MOST_ROWS;
  if (isCut) {
    const distance = ({ at, end }: MarkRow) => Math.max(0, at - cursor, cursor - end);
    rows.sort((a, b) => distance(a) - distance(b) || b.mark.seq - a.mark.seq).length = MOST_ROWS;
  }
  rows.sort((a, b) => a.at - b.at || a.mark.seq - b.mark.seq);
  return { rows, isCut };
}
