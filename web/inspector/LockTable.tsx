import { useContext } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { useRowHeight } from '../choices/density.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useLive } from '../data/use-live.ts';
import { type Column, DataTable, type SortState } from '../ui/DataTable.tsx';
import type { LockSort, OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { LockCells } from './LockCells.tsx';
import { isBlindNow } from './LockPlace.tsx';

/** The columns, in the order of the questions in an incident: which lock, who holds it, for how long, who waits. */
const COLUMNS: readonly { id: keyof Words['overview']['column']; sort?: LockSort }[] = [
  { id: 'lock', sort: 'name' },
  { id: 'verdict' },
  { id: 'kind', sort: 'kind' },
  { id: 'holder', sort: 'holder' },
  { id: 'held', sort: 'held' },
  { id: 'lease', sort: 'lease' },
  { id: 'waiters', sort: 'waiters' },
  { id: 'wait', sort: 'wait' },
  { id: 'rate', sort: 'rate' },
];

type LockTableProps = {
  locks: readonly Lock[];
  route: OverviewRoute;
  hasManySources: boolean;
  onInUse: (isInUse: boolean) => void;
};

/** The table of the given locks, one per row. */
export function LockTable({ locks, route, hasManySources, onInUse }: LockTableProps) {
  const { overview } = useWords();
  const isPast = useContext(ShownInstant) !== null;
  // as a text, so that the table does not render again with each figure of a source
  const blind = useLive((state) =>
    JSON.stringify(state.sources.flatMap(({ id }) => (isBlindNow(state, id) ? [id] : []))),
  );
  const isStale = ({ source, unwatchedSince }: Lock) =>
    isPast ? unwatchedSince !== undefined : blind.includes(JSON.stringify(source));
  const columns = COLUMNS.map(({ id, sort }): Column => {
    const column = { id, title: overview.column[id], hint: overview.columnHint[id] };
    if (sort === undefined) return column;
    const next = nextSort(route, sort);
    return {
      ...column,
      sort: {
        state: stateOf(route, sort),
        next: stateOf(next, sort),
        onClick: () => navigate(next, { replace: true }),
      },
    };
  });
  const classOf = (lock: Lock) => {
    if (!lock.held || isStale(lock)) return 'is-free';
    return wantedBy(lock) === 0 ? 'is-unwanted' : '';
  };
  return (
    <DataTable
      label={overview.title}
      className="lock-table"
      columns={columns}
      rows={locks}
      rowKey={(lock) => lock.id}
      rowClass={classOf}
      rowHeight={useRowHeight()}
      onInUse={onInUse}
      isMain
    >
      {(lock, _index, isTabStop) => (
        <LockCells lock={lock} isTabStop={isTabStop} hasManySources={hasManySources} columns={COLUMNS.length} />
      )}
    </DataTable>
  );
}

/** Columns that the first click sorts in ascending order. */
const RISING: readonly LockSort[] = ['name', 'kind', 'holder', 'lease'];

function stateOf(route: OverviewRoute, sort: LockSort): SortState {
  if (route.sort !== sort) return 'none';
  return RISING.includes(sort) === route.isReversed ? 'descending' : 'ascending';
}

/** The first click sorts by a column, the second reverses the order, the third sorts by attention again. */
function nextSort(route: OverviewRoute, sort: LockSort): OverviewRoute {
  if (route.sort !== sort) return { ...route, sort, isReversed: false };
  return route.isReversed ? { ...route, sort: 'attention', isReversed: false } : { ...route, isReversed: true };
}
