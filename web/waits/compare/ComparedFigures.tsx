import { PlainTable } from '../../ui/PlainTable.tsx';
import { useWords } from '../../words/language.ts';
import { ComparedCells, FigureCell } from './ChangeCell.tsx';
import type { Both } from './columns.ts';
import { NEEDED, NEEDED_P95 } from './comparison.ts';
import { figureRows, GROUPS } from './figure-rows.ts';

/** The statistics of both ranges: waits, holds, wake-ups and leases, one table each. */
export function ComparedFigures({ one, other }: Both) {
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
