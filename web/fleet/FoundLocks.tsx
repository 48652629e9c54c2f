import type { FleetBody, FoundLock } from '../../shared/wire/fleet/fleet.ts';
import { personText } from '../../shared/wire/person-text.ts';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { lockHref, sourceHref } from './source-href.ts';

/** The locks that match the search: by their own name, or by that of their source, of a holder or of a waiter. */
export function FoundLocks({ q, found, more }: Pick<FleetBody, 'found' | 'more'> & { q: string }) {
  const { fleet } = useWords();
  if (found.length === 0) {
    return (
      <EmptyState title={fleet.foundNone(q)}>
        <p>{fleet.foundNoneHint}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <h2>{fleet.found(found.length + more)}</h2>
      <PlainTable label={fleet.foundList} boxLabel={fleet.foundList} heads={Object.values(fleet.foundHead)} more={more}>
        {found.map(({ name, row }) => (
          <FoundRow key={`${name} ${row.id}`} name={name} row={row} />
        ))}
      </PlainTable>
    </>
  );
}

function FoundRow({ name, row }: FoundLock) {
  const { fleet } = useWords();
  const { foundHead } = fleet;
  const people = row.holders.map(({ client, thread, name: connection }) => personText(client, thread, connection));
  return (
    <tr>
      <th scope="row">
        <a href={lockHref(name, row)}>
          <NameText text={row.name} most={80} />
        </a>
      </th>
      <td data-label={foundHead.source}>
        <a href={sourceHref(name)}>
          <NameText text={name} most={60} />
        </a>
      </td>
      <td data-label={foundHead.holder}>
        {row.held ? people.map((person) => <NameText key={person} text={person} most={40} />) : fleet.free}
      </td>
      <td data-label={foundHead.waiting}>{countText(row.waiters)}</td>
    </tr>
  );
}
