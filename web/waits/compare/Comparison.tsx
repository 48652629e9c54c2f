import { type ShownWaits, useWaits } from '../../data/queries/waits.ts';
import { durationText } from '../../ui/time-text.ts';
import type { WaitsLink } from '../../url/waits-link.ts';
import { useWords } from '../../words/language.ts';
import { askedToCompare } from '../asked.ts';
import { ComparedFigures } from './ComparedFigures.tsx';
import { ComparedLengths } from './ComparedLengths.tsx';
import { ComparedRanking } from './ComparedRanking.tsx';
import { overlapMs } from './comparison.ts';
import { RangeCard } from './RangeCard.tsx';

/** How many entries each list of a compared range has: the most that the server answers. */
export const MOST_COMPARED = 100;

type ComparisonProps = {
  /** The first range; undefined: not loaded. */
  one: ShownWaits | undefined;
  error: unknown;
  compared: NonNullable<WaitsLink['compared']>;
  /** The cursor, where the last minutes end; null: they end now. */
  at: number | null;
};

/** Two ranges side by side. Each one loads, and fails, by itself. */
export function Comparison({ one, error, compared, at }: ComparisonProps) {
  const { compare } = useWords().waits;
  const asked = askedToCompare(compared, at, one);
  const answer = useWaits(asked, MOST_COMPARED);
  const isOld = answer.isPlaceholderData && !(compared === 'before' && isAsLong(answer.data, one));
  const other = answer.error || isOld ? undefined : answer.data;
  const overlap = one && other ? overlapMs(one, other) : 0;
  return (
    <>
      <div className="waits-columns">
        <RangeCard title={compare.one} waits={one} error={error} />
        <RangeCard title={compare.other} waits={other} error={answer.error} />
      </div>
      {overlap > 0 && <p className="quiet">{compare.overlap(durationText(overlap))}</p>}
      <ComparedFigures one={one} other={other} />
      <ComparedLengths one={one} other={other} />
      <ComparedRanking one={one} other={other} />
    </>
  );
}

/** The range before moves with the minutes up to now: until the next one is loaded, one of the same length is shown. */
function isAsLong(shown: ShownWaits | undefined, one: ShownWaits | undefined): boolean {
  return shown !== undefined && one !== undefined && Math.abs(lengthOf(shown) - lengthOf(one)) < 1_000_000;
}

function lengthOf({ from, to, askedFrom, askedTo }: ShownWaits): number {
  return (askedTo ?? to) - (askedFrom ?? from);
}
