import type { ReactNode } from 'react';
import { countText, rateText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import type { Change } from './comparison.ts';
import type { CellText } from './figure-rows.ts';

/** The ratio of a figure with its samples, or why it is missing. Null: this figure never has a ratio. */
function ChangeCell({ change }: { change: Change | null }) {
  const { compare } = useWords().waits;
  if (change === null) return <span className="quiet">–</span>;
  if ('no' in change) return <span className="quiet">{noRatioText(change, compare)}</span>;
  const [one, other] = change.samples;
  return (
    <>
      <b>{compare.ratioOf(ratioText(change.ratio))}</b> {change.isPerMinute && compare.perMinute}
      <span className="quiet waits-samples">{compare.samples(countText(one), countText(other))}</span>
    </>
  );
}

/** Ratios from 0.1 to 10 have two decimals, so that `1.05` and `0.95` differ from `1`. */
function ratioText(ratio: number): string {
  if (ratio >= 9.95) return countText(ratio);
  return ratio >= 0.095 ? ratio.toFixed(2) : rateText(ratio);
}

function noRatioText(change: Extract<Change, { no: string }>, { no }: Words['waits']['compare']): string {
  if (change.no !== 'few') return no[change.no];
  const [one, other] = change.samples;
  return no.few(countText(one), countText(other), change.needed);
}

type ComparedCellsProps = { one: ReactNode; other: ReactNode; change: Change | null };

/** The cells of a row: both ranges, and their ratio. */
export function ComparedCells({ one, other, change }: ComparedCellsProps) {
  const { compare } = useWords().waits;
  return (
    <>
      <td data-label={compare.one}>{one}</td>
      <td data-label={compare.other}>{other}</td>
      <td data-label={compare.ratio}>
        <ChangeCell change={change} />
      </td>
    </>
  );
}

/** A figure, or why it is missing. */
export function FigureCell({ cell }: { cell: CellText | 'further-down' }) {
  const { compare } = useWords().waits;
  return typeof cell === 'object' ? cell.text : <span className="quiet">{compare.cell[cell]}</span>;
}
