import { useState } from 'react';
import { LockName } from '../../parts/LockName.tsx';
import { Person } from '../../parts/Person.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { countText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { timeText } from '../waits-text.ts';
import { ComparedCells, FigureCell } from './ChangeCell.tsx';
import type { Both } from './columns.ts';
import { type Lost, type NoEntry, RANKINGS, type RankingName, type RankingRow, rankingRows } from './ranking-rows.ts';

const MOST_ROWS = 30;

/** The time lost in both ranges, by lock, client or thread. */
export function ComparedRanking({ one, other }: Both) {
  const { waits: texts } = useWords();
  const { compare } = texts;
  const [by, setBy] = useState<RankingName>('locks');
  const rows = rankingRows(by, one, other);
  const name = { locks: texts.head.lock, clients: texts.head.client, threads: texts.head.thread }[by];
  return (
    <section className="panel waits-ranking as-cards waits-compared" aria-label={compare.lost}>
      <h2>{compare.lost}</h2>
      <Segments
        label={compare.lost}
        value={by}
        options={RANKINGS.map((value) => ({ value, label: texts.by[value] }))}
        onChange={setBy}
      />
      {rows.length === 0 ? (
        <p className="quiet">{one && other ? compare.noneLost : compare.cell['not-loaded']}</p>
      ) : (
        <PlainTable
          label={texts.by[by]}
          boxLabel={texts.by[by]}
          heads={[name, compare.one, compare.other, compare.ratio]}
          more={Math.max(0, rows.length - MOST_ROWS)}
        >
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={row.key}>
              <th scope="row" data-label={name}>
                <Name row={row} by={by} />
              </th>
              <ComparedCells
                one={<LostTime lost={row.one} />}
                other={<LostTime lost={row.other} />}
                change={row.change}
              />
            </tr>
          ))}
        </PlainTable>
      )}
    </section>
  );
}

function Name({ row: { lock, person }, by }: { row: RankingRow; by: RankingName }) {
  if (lock) return <LockName lock={lock} />;
  if (person === null) return null;
  return by === 'clients' ? (
    <Person lockId="" id={person} client={person} thread={null} isAmongLocks />
  ) : (
    <Person lockId="" id={person} isAmongLocks />
  );
}

function LostTime({ lost }: { lost: Lost | NoEntry }) {
  const { waits: texts } = useWords();
  const { compare } = texts;
  if (typeof lost !== 'object') return <FigureCell cell={lost} />;
  const { rank, waits, waitedMs, causedMs, isAtLeast } = lost;
  return (
    <>
      {compare.rank(countText(rank), timeText(waitedMs, isAtLeast, texts))}
      <span className="quiet waits-samples">
        {compare.waits(waits, causedMs === 0 ? null : timeText(causedMs, isAtLeast, texts))}
      </span>
    </>
  );
}
