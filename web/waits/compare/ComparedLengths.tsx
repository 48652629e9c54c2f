import { useState } from 'react';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { countText, roundText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { FigureCell } from './ChangeCell.tsx';
import type { Both } from './columns.ts';
import { absenceIn, absenceInEither, SPREADS, type SpreadName } from './figure-rows.ts';
import { type LengthRow, lengthRows } from './length-rows.ts';

/** How long the waits, holds or wake-ups of both ranges were: a bar for each range, as a share of its range. */
export function ComparedLengths({ one, other }: Both) {
  const { compare } = useWords().waits;
  const [name, setName] = useState<SpreadName>('waits');
  const rows = lengthRows(name, one, other);
  const missing = absenceInEither(one, other);
  const most = Math.max(...rows.flatMap((row) => [row.one.share, row.other.share]));
  const cell = (waits: Both['one'], part: LengthRow['one']) => {
    if (!waits) return <FigureCell cell="not-loaded" />;
    const absence = waits.statistics[name] === null ? absenceIn(waits) : null;
    return absence ? <FigureCell cell={absence} /> : <Bar part={part} share={part.share / most} name={name} />;
  };
  return (
    <section className="panel waits-ranking as-cards waits-compared" aria-label={compare.lengths}>
      <h2>{compare.lengths}</h2>
      <Segments
        label={compare.lengths}
        value={name}
        options={SPREADS.map((value) => ({ value, label: compare.group[value] }))}
        onChange={setName}
      />
      {rows.length === 0 ? (
        <p className="quiet">{missing ? compare.cell[missing] : compare.noLengths}</p>
      ) : (
        <PlainTable
          label={compare.group[name]}
          boxLabel={compare.group[name]}
          heads={[compare.range, compare.one, compare.other]}
          more={0}
        >
          {rows.map((row) => (
            <tr key={row.fromMs}>
              <th scope="row">{compare.between(roundText(row.fromMs), roundText(row.toMs))}</th>
              <td data-label={compare.one}>{cell(one, row.one)}</td>
              <td data-label={compare.other}>{cell(other, row.other)}</td>
            </tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}

type BarProps = { part: LengthRow['one']; share: number; name: SpreadName };

function Bar({ part, share, name }: BarProps) {
  return (
    <span className="length-bar">
      <i
        className={name === 'holds' ? 'is-hold' : 'is-wait'}
        style={{ width: part.count === 0 ? 0 : `max(2px, ${share * 75}%)` }}
        aria-hidden="true"
      />
      {countText(part.count)}
    </span>
  );
}
