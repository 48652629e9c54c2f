/**
 * What could be seen of one stretch of time. `hidden`: watched, but not at the level that shows this. `forgotten`: before
 * Lockscope began to count, or too long ago.
 */
export type TrendSight = 'watched' | 'partly' | 'hidden' | 'unwatched' | 'forgotten';

/** One value over one stretch of time; null: there is none. */
export type TrendPoint = { readonly at: number; readonly value: number | null; readonly sight: TrendSight };

/** True where a missing value means that nothing happened. */
export function isSeen({ sight }: TrendPoint): boolean {
  return sight === 'watched' || sight === 'partly';
}

/** One corner of a drawn line. */
export type Corner = { readonly at: number; readonly value: number | null };

/** A series has no more corners than this. */
export const MOST_CORNERS = 300;

/** A stretch that was not fully watched. */
export type Gap = { readonly from: number; readonly to: number; readonly sight: TrendSight };

/**
 * The corners of a line of steps: each value holds through its bin. Where there are more than can be drawn, the bins
 * are joined and the greatest value of each stands for all of them; a joined bin with anything unseen is unseen.
 */
export function binSteps(points: readonly TrendPoint[], binMicros: number, most = MOST_CORNERS): Corner[] {
  const joined = Math.max(1, Math.ceil((points.length * 2) / most));
  const corners: Corner[] = [];
  for (let i = 0; i < points.length; i += joined) {
    const group = points.slice(i, i + joined);
    const first = group[0];
    if (!first) break;
    const values = group.flatMap(({ value }) => (value === null ? [] : [value]));
    const value = values.length === 0 || !group.every(isSeen) ? null : Math.max(...values);
    corners.push({ at: first.at, value }, { at: first.at + binMicros * group.length - 1, value });
  }
  return corners;
}

/** One dot in the middle of each bin that has a value. */
export function binDots(points: readonly TrendPoint[], binMicros: number, most = MOST_CORNERS): Corner[] {
  return points.slice(-most).map(({ at, value }) => ({ at: at + binMicros / 2, value }));
}

/** The stretches that were not fully watched; neighbours of one kind are one. */
export function gapsFrom(points: readonly TrendPoint[], binMicros: number): Gap[] {
  const gaps: { from: number; to: number; sight: TrendSight }[] = [];
  for (const { at, sight } of points) {
    if (sight === 'watched') continue;
    const last = gaps.at(-1);
    if (last && last.to === at && last.sight === sight) last.to = at + binMicros;
    else gaps.push({ from: at, to: at + binMicros, sight });
  }
  return gaps;
}

/** The greatest value and where it is; null where there is no value. */
export function peakOf(points: readonly TrendPoint[]): { at: number; value: number } | null {
  let peak: { at: number; value: number } | null = null;
  for (const { at, value } of points) if (value !== null && (!peak || value > peak.value)) peak = { at, value };
  return peak;
}
