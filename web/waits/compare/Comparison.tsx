import { type ShownWaits, useWaits } from '../../data/queries/waits.ts';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { durationText } from '../../ui/time-text.ts';
import type { WaitsLink } from '../../url/waits-link.ts';
import { useWords } from '../../words/language.ts';
import { askedToCompare } from '../asked.ts';
import { ComparedCells, FigureCell } from './ChangeCell.tsx';
import { ComparedLengths } from './ComparedLengths.tsx';
import { ComparedRanking } from './ComparedRanking.tsx';
import type { Both } from './columns.ts';
import { NEEDED, NEEDED_P95, overlapMs } from './comparison.ts';
import { figureRows, GROUPS } from './figure-rows.ts';
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

/**
 * Whether a shown range is as long as `one`, within 1 s. A range `before` moves on together with a range up to now: until
 * the next range is loaded, the shown one stays if it is as long.
 */
function isAsLong(shown: ShownWaits | undefined, one: ShownWaits | undefined): boolean {
  return shown !== undefined && one !== undefined && Math.abs(lengthOf(shown) - lengthOf(one)) < 1_000_000;
}

function lengthOf({ from, to, askedFrom, askedTo }: ShownWaits): number {
  return (askedTo ?? to) - (askedFrom ?? from);
}

/** The statistics of both ranges: waits, holds, wake-ups and leases, one table each. */
function ComparedFigures({ one, other }: Both) {
  const { waits: texts } = useWords();
  const { compare } = texts;
  const heads = [texts.figures.measure, compare.one, compare.other, compare.ratio];
  return (
    <section className="panel waits-ranking as-cards waits-compared" aria-label={texts.figures.title}>
      <h2>{texts.figures.title}</h2>
      <p className="quiet">{compare.meaning(NEEDED, NEEDED_P95)}</p>
      {GROUPS.map((group) => (
        <div key={group}>
          <h3>{compare.group[group]}</h3>
          <PlainTable label={compare.group[group]} boxLabel={compare.group[group]} heads={heads} more={0}>
            {figureRows(group, one, other).map((row) => (
              <tr key={row.name}>
                <th scope="row">{compare.figure[row.name]}</th>
                <ComparedCells
                  one={<FigureCell cell={row.one} />}
                  other={<FigureCell cell={row.other} />}
                  change={row.change}
                />
              </tr>
            ))}
          </PlainTable>
        </div>
      ))}
    </section>
  );
}
