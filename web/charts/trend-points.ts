import type { TrendPoint, TrendSight } from './bin-trend.ts';

/** One bin of all trends. Null: the figure is unknown, or nothing was measured. */
export type TrendRow = {
  readonly at: number;
  readonly waiters: number | null;
  readonly waitP95Ms: number | null;
  /** The greatest age of a wait in progress; 0: no wait. */
  readonly oldestWaitMs: number | null;
  readonly oldestIsAtLeast: boolean;
  readonly handoversPerSecond: number | null;
  readonly sight: Exclude<TrendSight, 'hidden'>;
  /** False if the level at that time hides waits. */
  readonly seesWaits: boolean;
};

/** The figures that have a chart. */
export type TrendFigure = 'waiters' | 'waitP95Ms' | 'oldestWaitMs' | 'handoversPerSecond';

/** The points of one chart. An age of 0 is not a wait; an unknown age is not seen, even if other figures are. */
export function pointsOf(rows: readonly TrendRow[], key: TrendFigure): TrendPoint[] {
  return rows.map((row) => {
    const { at, oldestWaitMs, oldestIsAtLeast: isAtLeast } = row;
    const isOpen = row.sight === 'watched' || row.sight === 'partly';
    const sight = isOpen && !row.seesWaits ? 'hidden' : row.sight;
    if (key !== 'oldestWaitMs') return { at, value: row[key], sight };
    const isUnseen = oldestWaitMs === null && (sight === 'watched' || sight === 'partly');
    return { at, value: oldestWaitMs || null, sight: isUnseen ? 'unwatched' : sight, isAtLeast };
  });
}
