import { ChevronDown, ChevronRight } from 'lucide-react';
import { useContext, useMemo, useState } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import { lockIdsIn } from '../../shared/wire/insights/insights-about.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useRowHeight } from '../choices/density.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { isBlindNow } from '../parts/LockPlace.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type Column, DataTable, type SortState } from '../ui/table/DataTable.tsx';
import { visibleText } from '../ui/visible-text.ts';
import type { LockSort, OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useFound } from '../verdicts/found-insights.tsx';
import { useWords } from '../words/language.ts';
import { LockCells } from './columns/LockCells.tsx';
import type { LockColumn } from './columns/lock-column.ts';
import { attributesOf, COLUMN_WIDTHS, LOCK_COLUMNS } from './columns/lock-columns.tsx';
import { groupedRows, type LockRow } from './lock-groups.ts';

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
  const found = useFound();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // in another order, or if the user looks for a name, each lock has its row
  const isGrouped = route.sort === 'attention' && route.q === '';
  const rows = useMemo(() => {
    if (!isGrouped) return locks.map((lock): LockRow => ({ kind: 'lock', lock }));
    const pressing = (found?.insights ?? []).filter(({ to, severity }) => to === null && severity !== 'hint');
    return groupedRows(locks, new Set(pressing.flatMap(lockIdsIn)), open);
  }, [locks, found, open, isGrouped]);
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
      rows={rows}
      rowKey={(row) => (row.kind === 'lock' ? row.lock.id : row.key)}
      rowClass={(row) => (row.kind === 'lock' ? classOf(row.lock) : 'is-group')}
      rowHeight={useRowHeight()}
      onInUse={onInUse}
      isMain
    >
      {(row, _index, isTabStop) =>
        row.kind === 'lock' ? (
          <LockCells lock={row.lock} isTabStop={isTabStop} hasManySources={hasManySources} />
        ) : (
          <td data-column="group" colSpan={LOCK_COLUMNS.length}>
            <button
              type="button"
              className="group-row"
              data-row-focus
              tabIndex={isTabStop ? 0 : -1}
              aria-expanded={row.isOpen}
              onClick={() => setOpen((open) => toggled(open, row.key))}
            >
              <Icon of={row.isOpen ? ChevronDown : ChevronRight} /> <b>{visibleText(row.prefix)}*</b>{' '}
              <span className="quiet">{overview.group(row.locks, row.held)}</span>
            </button>
          </td>
        )
      }
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

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}
