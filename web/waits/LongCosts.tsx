import { type ReactNode, useState } from 'react';
import { COSTS_BY, type CostsBy } from '../../shared/spans/rank-waits.ts';
import { problemFromError } from '../data/http/http.ts';
import { type ShownCosts, useCosts } from '../data/queries/waits.ts';
import { LockName } from '../parts/LockName.tsx';
import { Person } from '../parts/Person.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { Segments } from '../ui/Segments.tsx';
import { countText, endTexts, millisText } from '../ui/time-text.ts';
import type { LinkSpan } from '../url/range.ts';
import { useWords } from '../words/language.ts';
import { changeText, costNotes, noCosts, timeCellText } from './waits-text.ts';

type Figures = {
  readonly causedMs: number;
  readonly waits?: number | undefined;
  readonly waitedMs?: number | undefined;
};
type Row = Figures & {
  readonly key: string;
  readonly name: ReactNode;
  readonly isAtLeast: boolean;
  readonly before?: Figures | undefined;
  readonly changeMs?: number | undefined;
};

/** Locks, clients or holds by what they cost others in hours or days, or by how much that has changed. */
export function LongCosts({ span, against }: { span: LinkSpan; against: LinkSpan | null }) {
  const words = useWords();
  const { long } = words.waits;
  const [by, setBy] = useState<CostsBy>('lock');
  const { data, error, isPlaceholderData } = useCosts(span, by, against);
  if (error) {
    const { message, hint } = problemFromError(error, words);
    return (
      <EmptyState title={message}>
        <p>{hint}</p>
      </EmptyState>
    );
  }
  return (
    <section className="panel waits-ranking as-cards" aria-label={words.waits.ranking} aria-busy={isPlaceholderData}>
      <Segments
        label={words.waits.ranking}
        value={by}
        options={COSTS_BY.map((value) => ({ value, label: long.by[value] }))}
        onChange={setBy}
      />
      {data && !isPlaceholderData ? <Known costs={data} by={by} /> : <p className="quiet">{words.waits.reading}</p>}
    </section>
  );
}

function Known({ costs, by }: { costs: ShownCosts; by: CostsBy }) {
  const { waits } = useWords();
  const { long } = waits;
  const { from, to, against, isAtLeast, since } = costs;
  const rows = rowsOf(costs);
  const texts = (of: { from: number; to: number }) => long.between(...endTexts(of.from, of.to, millisText));
  const between = texts({ from, to });
  return (
    <>
      {(isAtLeast || against?.isAtLeast) && (
        <Notice tone="hint" title={long.notAll}>
          <p>{long.since(millisText(since))}</p>
        </Notice>
      )}
      <p className="waits-known">
        {against ? long.compared(between, texts(against)) : between} {costNotes(by, costs.readFrom, waits)}
      </p>
      {rows.length === 0 ? (
        <p>{noCosts(by, waits)}</p>
      ) : (
        <Table rows={rows} by={by} isCompared={against !== undefined} more={costs.more} />
      )}
    </>
  );
}

function Table({ rows, by, isCompared, more }: { rows: Row[]; by: CostsBy; isCompared: boolean; more: number }) {
  const { waits } = useWords();
  const { long, head } = waits;
  const isHold = by === 'hold';
  const name = isHold ? long.hold : by === 'lock' ? head.lock : head.client;
  const figures = isCompared ? [long.before, long.after, long.change] : [head.cost];
  const heads = [name, ...figures, ...(isHold ? [] : [head.waits, head.waited])];
  return (
    <PlainTable label={long.by[by]} boxLabel={long.by[by]} heads={heads} more={more}>
      {rows.map((row) => (
        <tr key={row.key}>
          <td data-label={name}>{row.name}</td>
          {isCompared && <td data-label={long.before}>{timeCellText(row.before?.causedMs ?? 0, false, waits)}</td>}
          <td data-label={isCompared ? long.after : head.cost}>{timeCellText(row.causedMs, row.isAtLeast, waits)}</td>
          {isCompared && <td data-label={long.change}>{changeText(row.changeMs ?? 0)}</td>}
          {!isHold && <td data-label={head.waits}>{countText(row.waits ?? 0)}</td>}
          {!isHold && <td data-label={head.waited}>{timeCellText(row.waitedMs ?? 0, row.isAtLeast, waits)}</td>}
        </tr>
      ))}
    </PlainTable>
  );
}

function rowsOf({ rows: { locks = [], clients = [], holds = [] } }: ShownCosts): Row[] {
  return [
    ...locks.map((row) => ({ ...row, key: `${row.source} ${row.db} ${row.lock}`, name: <LockName lock={row} /> })),
    ...clients.map((row) => ({
      ...row,
      key: row.client,
      name: <Person lockId="" id={row.client} client={row.client} thread={null} isAmongLocks />,
    })),
    ...holds.map((row) => ({
      ...row,
      key: `${row.lock} ${row.holder} ${row.seq}`,
      name: (
        <>
          <LockName lock={row} /> <Person lockId="" id={row.holder} isAmongLocks /> {millisText(row.from)}
        </>
      ),
    })),
  ];
}
