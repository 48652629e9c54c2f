import { FINE_LENGTHS } from '../../../shared/base/round-lengths.ts';
import type { ShownWaits } from '../../data/queries/waits.ts';
import type { SpreadName } from './figure-rows.ts';

/**
 * How many lengths of each of the two compared ranges are in one bin. `share`: their part of all lengths of that range,
 * 0 to 1.
 */
export type LengthRow = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly one: Part;
  readonly other: Part;
};
type Part = { readonly count: number; readonly share: number };

/** The distributions of both ranges of time over the same bins, from the shortest length to the longest. */
export function lengthRows(
  name: SpreadName,
  one: ShownWaits | undefined,
  other: ShownWaits | undefined,
): readonly LengthRow[] {
  const [ones, others] = [one?.statistics[name] ?? null, other?.statistics[name] ?? null];
  const begins = [...(ones?.lengths ?? []), ...(others?.lengths ?? [])].map(({ fromMs }) => fromMs);
  if (begins.length === 0) return [];
  const first = FINE_LENGTHS.indexOf(Math.min(...begins));
  const last = FINE_LENGTHS.indexOf(Math.max(...begins));
  return FINE_LENGTHS.slice(first, last + 1).map((fromMs, n) => ({
    ...{ fromMs, toMs: FINE_LENGTHS[first + n + 1] ?? Number.POSITIVE_INFINITY },
    ...{ one: partAt(ones, fromMs), other: partAt(others, fromMs) },
  }));
}

function partAt(spread: ShownWaits['statistics'][SpreadName], fromMs: number): Part {
  const count = spread?.lengths.find((each) => each.fromMs === fromMs)?.count ?? 0;
  return { count, share: spread ? count / spread.count : 0 };
}
