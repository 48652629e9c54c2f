import type { ReactNode } from 'react';
import type { ShownWaits } from '../data/waits.ts';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, durationText, millisText, rateText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

type Statistics = ShownWaits['statistics'];
type Spread = NonNullable<Statistics['holds']>;
const MEASURES = ['waits', 'holds', 'wakeUps'] as const;

type StatisticsTableProps = {
  waits: ShownWaits;
  /** The stretch to compare with; undefined: none. */
  before: ShownWaits | undefined;
};

/** The spread of waits, holds and wake-ups, beside those of the stretch before. */
export function StatisticsTable({ waits, before }: StatisticsTableProps) {
  const { waits: said } = useWords();
  const { figures } = said;
  const { statistics: now } = waits;
  const then = before?.statistics;
  const cell = (of: (spread: Spread) => string, spread: Spread | null, old: Spread | null | undefined) => (
    <Cell now={spread && of(spread)} before={old === undefined ? undefined : old && of(old)} />
  );
  return (
    <>
      <PlainTable
        label={figures.title}
        boxLabel={figures.title}
        heads={[figures.measure, figures.count, figures.median, figures.p95, figures.longest]}
        more={0}
      >
        {MEASURES.map((measure) => {
          const [spread, old] = [now[measure], then?.[measure]];
          return (
            <tr key={measure}>
              <td>{figures.of[measure]}</td>
              <td data-label={figures.count}>
                <Cell now={countText(spread?.count ?? 0)} before={then && countText(old?.count ?? 0)} />
              </td>
              <td data-label={figures.median}>{cell(({ medianMs }) => durationText(medianMs), spread, old)}</td>
              <td data-label={figures.p95}>{cell(({ p95Ms }) => durationText(p95Ms), spread, old)}</td>
              <td data-label={figures.longest}>{cell(({ longestMs }) => durationText(longestMs), spread, old)}</td>
            </tr>
          );
        })}
      </PlainTable>
      <dl className="waits-facts">
        <Fact name={figures.together}>
          <Cell now={durationText(waits.total.waitedMs)} before={before && durationText(before.total.waitedMs)} />
        </Fact>
        <Fact name={figures.refusals}>
          <Cell now={refusalsText(now)} before={then && refusalsText(then)} />
        </Fact>
        <Fact name={figures.leaseUsed}>
          <Cell now={usedText(now, figures)} before={then && usedText(then, figures)} />
        </Fact>
        <Fact name={figures.expired}>
          <Cell now={countText(now.expired)} before={then && countText(then.expired)} />
        </Fact>
        <Fact name={figures.gaveUp}>
          <Cell now={countText(now.gaveUp)} before={then && countText(then.gaveUp)} />
        </Fact>
      </dl>
      {waits.isCut && <p className="quiet">{figures.since(millisText(now.from), millisText(waits.from))}</p>}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A figure, and the same of the stretch before. Null: there was nothing to measure. */
function Cell({ now, before }: { now: string | null; before: string | null | undefined }) {
  const { figures } = useWords().waits;
  return (
    <>
      {now ?? '–'}
      {before !== undefined && <span className="quiet waits-before">{figures.before(before ?? '–')}</span>}
    </>
  );
}

/** Refused attempts for each wait that ended with the lock; null without such a wait. */
function refusalsText({ refusals, waits }: Statistics): string | null {
  return waits && rateText(refusals / waits.count);
}

/** How much of their leases holds used; null without a released hold whose lease was seen. */
function usedText({ leaseUsed }: Statistics, { used }: Words['waits']['figures']): string | null {
  if (leaseUsed === null) return null;
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  return used(percent(leaseUsed.median), percent(leaseUsed.p95), percent(leaseUsed.greatest));
}
