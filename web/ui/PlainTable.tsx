import type { ReactNode } from 'react';
import { useWords } from '../words/language.ts';
import { WideBox } from './WideBox.tsx';

type PlainTableProps = {
  /** What the table is of. */
  label: string;
  /** What the box is called that it scrolls in where it is too wide. */
  boxLabel: string;
  /** Titles of the columns. */
  heads: readonly string[];
  /** How many rows are left out. */
  more: number;
  children: ReactNode;
};

/** A table of few rows, all of them drawn; of many the rest is counted. */
export function PlainTable({ label, boxLabel, heads, more, children }: PlainTableProps) {
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
      {more > 0 && <p className="quiet">{common.andMore(more)}</p>}
    </WideBox>
  );
}
