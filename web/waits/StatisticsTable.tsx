import type { ShownWaits } from '../data/queries/waits.ts';
import { Fact } from '../parts/Fact.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, durationText, millisText, rateText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { olderText, timeText } from './waits-text.ts';

type Statistics = ShownWaits['statistics'];
type Spread = NonNullable<Statistics['holds']>;
/** There was nothing to measure. */
const NONE = '–';
const MEASURES = ['waits', 'holds', 'wakeUps'] as const;

/** The spread of waits, holds and wake-ups. */
export function StatisticsTable({ waits }: { waits: ShownWaits }) {
  const { waits: texts } = useWords();
  const { figures } = texts;
  const { statistics } = waits;
  const older = olderText(statistics.older, texts);
  const cell = (of: (spread: Spread) => string, spread: Spread | null) => (spread ? of(spread) : NONE);
  return (
    <>
      <PlainTable
        label={figures.title}
        boxLabel={figures.title}
        heads={[figures.measure, figures.count, figures.median, figures.p95, figures.longest]}
        more={0}
      >
        {MEASURES.map((measure) => {
          const spread = statistics[measure];
          return (
            <tr key={measure}>
              <td>{figures.of[measure]}</td>
              <td data-label={figures.count}>{countText(spread?.count ?? 0)}</td>
              <td data-label={figures.median}>{cell(({ medianMs }) => durationText(medianMs), spread)}</td>
              <td data-label={figures.p95}>{cell(({ p95Ms }) => durationText(p95Ms), spread)}</td>
              <td data-label={figures.longest}>{cell(({ longestMs }) => durationText(longestMs), spread)}</td>
            </tr>
          );
        })}
      </PlainTable>
      <dl className="waits-facts">
        <Fact name={figures.together}>{timeText(waits.total.waitedMs, waits.total.isAtLeast, texts)}</Fact>
        <Fact name={figures.refusals}>{refusalsText(statistics) ?? NONE}</Fact>
        <Fact name={figures.leaseUsed}>{usedText(statistics, figures) ?? NONE}</Fact>
        <Fact name={figures.expired}>{countText(statistics.expired)}</Fact>
        <Fact name={figures.gaveUp}>{countText(statistics.gaveUp)}</Fact>
      </dl>
      {older !== null && <p className="quiet">{older}</p>}
      {waits.isCut && <p className="quiet">{figures.since(millisText(statistics.from), millisText(waits.from))}</p>}
    </>
  );
}

/** Refused attempts for each wait that ended with the lock; null if there was no such wait. */
function refusalsText({ refusals, waits }: Statistics): string | null {
  return waits && rateText(refusals / waits.count);
}

/** The part of its lease that a hold used; null if no hold with a known lease was released. */
function usedText({ leaseUsed }: Statistics, { used }: Words['waits']['figures']): string | null {
  if (leaseUsed === null) return null;
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  return used(percent(leaseUsed.median), percent(leaseUsed.p95), percent(leaseUsed.greatest));
}
