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
import { LockCells } from './columns/LockCells.tsx';
import type { LockColumn } from './columns/lock-column.ts';
import { attributesOf, COLUMN_WIDTHS, LOCK_COLUMNS } from './columns/lock-columns.tsx';
import { isBlindNow } from './LockPlace.tsx';

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
  const columns = LOCK_COLUMNS.map((column): Column => {
    const { id, sort } = column;
    const { title, hint } = overview.columns[id];
    const heading = { id, title, hint, attributes: attributesOf(column) };
    if (sort === undefined) return heading;
    const next = nextSort(route, sort.by);
    return {
      ...heading,
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
      style={COLUMN_WIDTHS}
      columns={columns}
      rows={locks}
      rowKey={(lock) => lock.id}
      rowClass={classOf}
      rowHeight={useRowHeight()}
      onInUse={onInUse}
      isMain
    >
      {(lock, _index, isTabStop) => <LockCells lock={lock} isTabStop={isTabStop} hasManySources={hasManySources} />}
    </DataTable>
  );
}

function stateOf(route: OverviewRoute, { by, isRising = false }: NonNullable<LockColumn['sort']>): SortState {
  if (route.sort !== by) return 'none';
  return isRising === route.isReversed ? 'descending' : 'ascending';
}

/** The first click sorts by a column, the second reverses the order, the third sorts by attention again. */
function nextSort(route: OverviewRoute, sort: LockSort): OverviewRoute {
  if (route.sort !== sort) return { ...route, sort, isReversed: false };
  return route.isReversed ? { ...route, sort: 'attention', isReversed: false } : { ...route, isReversed: true };
}
