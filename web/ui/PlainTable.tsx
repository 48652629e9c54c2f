import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { WideBox } from './WideBox.tsx';

type PlainTableProps = {
  /** Accessible name of the table. */
  label: string;
  /** Accessible name of the box that scrolls if the table is too wide. */
  boxLabel: string;
  /** Titles of the columns. */
  heads: readonly string[];
  /** Number of rows left out. */
  more: number;
  /** Lists further rows. Absent: they cannot be listed. */
  onMore?: (() => void) | undefined;
  children: ReactNode;
};

/** A table that renders all its rows, and below them the number of rows that are left out. */
export function PlainTable({ label, boxLabel, heads, more, onMore, children }: PlainTableProps) {
  const { common } = useWords();
  return (
    <WideBox label={boxLabel} className="plain-table">
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {more > 0 && (
        <p className="quiet">
          {common.andMore(more)}{' '}
          {onMore && (
            <button type="button" className="button is-small" onClick={onMore}>
              {common.listMore}
            </button>
          )}
        </p>
      )}
    </WideBox>
  );
}
