import type { ReactNode } from 'react';
import type { ShownWaits } from '../data/queries/waits.ts';
import { LockName } from '../parts/LockName.tsx';
import { Person } from '../parts/Person.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { SpentOn } from './SpentOn.tsx';
import { timeCellText, timeText } from './waits-text.ts';

type Cost = ShownWaits['clients'][number];
type Row = Omit<Cost, 'client'> & { readonly key: string; readonly name: ReactNode; readonly lock?: string };

/** Locks, clients or threads by time lost. */
export function CostTable({ waits, by }: { waits: ShownWaits; by: 'locks' | 'clients' | 'threads' }) {
  const { waits: texts } = useWords();
  const { head } = texts;
  const rows = rowsOf(waits, by);
  const longest = Math.max(...rows.map(({ waitedMs }) => waitedMs));
  const name = { locks: head.lock, clients: head.client, threads: head.thread }[by];
  return (
    <PlainTable
      label={texts.by[by]}
      boxLabel={texts.by[by]}
      heads={[name, head.waits, head.waited, head.spentOn, head.cost]}
      more={waits.more[by]}
    >
      {rows.map((row) => (
        <tr key={row.key}>
          <td data-label={name}>{row.name}</td>
          <td data-label={head.waits}>{countText(row.waits)}</td>
          <td data-label={head.waited}>{row.waits === 0 ? '–' : timeText(row.waitedMs, row.isAtLeast, texts)}</td>
          <td data-label={head.spentOn}>
            <SpentOn
              parts={row.parts}
              share={row.waitedMs / longest}
              {...(row.lock !== undefined && { lock: row.lock })}
            />
          </td>
          <td data-label={head.cost}>{timeCellText(row.causedMs, row.isAtLeast, texts)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function rowsOf({ locks, clients, threads }: ShownWaits, by: 'locks' | 'clients' | 'threads'): Row[] {
  switch (by) {
    case 'locks':
      return locks.map((each) => ({
        ...each,
        key: `${each.source} ${each.db} ${each.lock}`,
        name: <LockName lock={each} />,
      }));
    case 'clients':
      return clients.map(({ client, ...cost }) => ({
        ...cost,
        key: client,
        name: <Person lockId="" id={client} client={client} thread={null} isAmongLocks />,
      }));
    default:
      return threads.map(({ holder, ...cost }) => ({
        ...cost,
        key: holder,
        name: <Person lockId="" id={holder} isAmongLocks />,
      }));
  }
}
