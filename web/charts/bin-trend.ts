/**
 * How a bin was watched. `hidden`: watched, but at a level that does not show this number. `forgotten`: before
 * Lockscope began to count, or already dropped.
 */
export type TrendSight = 'watched' | 'partly' | 'hidden' | 'unwatched' | 'forgotten';

/** The value of one bin; null if there is none. `isAtLeast`: the value is a lower bound. */
export type TrendPoint = {
  readonly at: number;
  readonly value: number | null;
  readonly sight: TrendSight;
  readonly isAtLeast?: boolean;
};

/** True if a missing value means that nothing happened. */
export function isSeen({ sight }: TrendPoint): boolean {
  return sight === 'watched' || sight === 'partly';
}

/** One point of a line in the chart. */
type Corner = { readonly at: number; readonly value: number | null };

/** A series has at most this number of points. */
const MOST_CORNERS = 300;

/** A time range that was not fully watched. */
type Gap = { readonly from: number; readonly to: number; readonly sight: TrendSight };

/**
 * Returns the points of a step line: each value lasts for its whole bin. If there are more than `most` points,
 * adjacent bins are joined. A joined bin has the greatest value of its bins, or none if one of them was not watched.
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
    corners.push({ at: first.at, value }, { at: endOf(points, i + group.length - 1, binMicros) - 1, value });
  }
  return corners;
}

/**
 * The end of a bin: after `binMicros`, or at the beginning of the next bin if that is earlier. The first bin may be
 * cut, and a day may have 23 hours.
 */
function endOf(points: readonly TrendPoint[], n: number, binMicros: number): number {
  const end = (points[n]?.at ?? 0) + binMicros;
  return Math.min(end, points[n + 1]?.at ?? end);
}

/** Returns one point in the middle of each bin, for the newest 300 bins. */
export function binDots(points: readonly TrendPoint[], binMicros: number): Corner[] {
  return points.slice(-MOST_CORNERS).map(({ at, value }) => ({ at: at + binMicros / 2, value }));
}

/** Returns the time ranges that were not fully watched. Adjacent bins with the same sight are one range. */
export function gapsFrom(points: readonly TrendPoint[], binMicros: number): Gap[] {
  const gaps: { from: number; to: number; sight: TrendSight }[] = [];
  for (const [n, { at, sight }] of points.entries()) {
    if (sight === 'watched') continue;
    const to = endOf(points, n, binMicros);
    const last = gaps.at(-1);
    if (last && last.to === at && last.sight === sight) last.to = to;
    else gaps.push({ from: at, to, sight });
  }
  return gaps;
}

type Peak = { readonly at: number; readonly value: number; readonly isAtLeast: boolean };

/** Returns the first of the greatest values and its instant; null if there are no values. */
export function peakOf(points: readonly TrendPoint[]): Peak | null {
  let peak: Peak | null = null;
  for (const { at, value, isAtLeast = false } of points)
    if (value !== null && (!peak || value > peak.value)) peak = { at, value, isAtLeast };
  return peak;
}
