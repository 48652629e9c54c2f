import type { AskedRange, ShownWaits } from '../data/queries/waits.ts';
import { type ChosenRange, isSpan } from '../url/range.ts';
import type { WaitsLink } from '../url/waits-link.ts';

/** The range to ask for. `at`: the cursor, where the last minutes end; null: they end now. */
export function askedOf(chosen: ChosenRange, at: number | null): AskedRange {
  if (isSpan(chosen)) return { from: chosen.from, to: chosen.to };
  const micros = chosen * 60_000_000;
  return at === null ? { lastMicros: micros } : { from: at - micros, to: at };
}

/**
 * The range to compare with. A range `before` is as long as the range `one` and ends where `one` begins, so it is null
 * until `one` is loaded.
 */
export function askedToCompare(
  compared: NonNullable<WaitsLink['compared']>,
  at: number | null,
  one: Pick<ShownWaits, 'from' | 'to' | 'askedFrom' | 'askedTo'> | undefined,
): AskedRange | null {
  if (compared !== 'before') return askedOf(compared, at);
  if (!one) return null;
  const begin = one.askedFrom ?? one.from;
  return { from: begin - ((one.askedTo ?? one.to) - begin), to: begin };
}
