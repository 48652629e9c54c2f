import { useContext } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { useRowHeight } from '../choices/density.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useLive } from '../data/use-live.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { NameText } from '../ui/NameText.tsx';
import type { LockSort, OverviewRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { BelieverMark } from './BelieverMark.tsx';
import { CertaintyMark } from './Certainty.tsx';
import { counterText } from './counter-words.ts';
import { GroupChip } from './events/GroupChip.tsx';
import { LeaseBar } from './LeaseBar.tsx';
import { isBlindNow, ShortPlace } from './LockPlace.tsx';
import { holderCount, noWaitersText, readersOf, waiterCount, waitersText, watchdogText } from './lock-words.ts';
import { Person, PresenceMark } from './Person.tsx';
import { useSeesWaiters } from './people.ts';
import { UnreadMark } from './UnreadMark.tsx';

const COLUMNS: readonly { id: keyof Words['overview']['column']; sort: LockSort | null }[] = [
  { id: 'lock', sort: 'name' },
  { id: 'kind', sort: 'kind' },
  { id: 'holder', sort: 'holder' },
  { id: 'count', sort: 'count' },
  { id: 'lease', sort: 'lease' },
  { id: 'watchdog', sort: null },
  { id: 'waiters', sort: 'waiters' },
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
  const link = useLive((state) => state.link);
  const sources = useLive((state) => state.sources);
  const isStale = ({ source, unwatchedSince }: Lock) =>
    isPast ? unwatchedSince !== undefined : isBlindNow({ link, sources }, source);
  const columns = COLUMNS.map(({ id, sort }): Column => {
    const title = overview.column[id];
    if (sort === null) return { id, title };
    const state = route.sort !== sort ? 'none' : isRising(route) ? 'ascending' : 'descending';
    return { id, title, sort: { state, onClick: () => navigate(nextSort(route, sort), { replace: true }) } };
  });
  return (
    <DataTable
      label={overview.title}
      className="lock-table"
      columns={columns}
      rows={locks}
      rowKey={(lock) => lock.id}
      rowClass={(lock) => (lock.held && !isStale(lock) ? '' : 'is-free')}
      rowHeight={useRowHeight()}
      onInUse={onInUse}
    >
      {(lock, _index, isTabStop) => <LockCells lock={lock} isTabStop={isTabStop} hasManySources={hasManySources} />}
    </DataTable>
  );
}

type LockCellsProps = { lock: Lock; isTabStop: boolean; hasManySources: boolean };

function LockCells({ lock, isTabStop, hasManySources }: LockCellsProps) {
  const { counters, lock: words } = useWords();
  const [holder] = lock.holders;
  const others = holderCount(lock) - 1;
  const counted = counterText(lock, counters);
  return (
    <>
      <td data-column="lock">
        <Link to={lockNow(lock)} className="row-link" data-row-focus tabIndex={isTabStop ? 0 : -1}>
          <NameText text={lock.name} most={80} isOneLine />
        </Link>
        <ShortPlace lock={lock} hasManySources={hasManySources} />
        {lock.certainty === 'inferred' && <CertaintyMark certainty="inferred" />}
      </td>
      <td data-column="kind">{words.kind[lock.kind]}</td>
      <td data-column="holder">
        {counted !== undefined ? (
          <span className={lock.held ? 'counter' : 'counter nothing'}>{counted}</span>
        ) : holder && readersOf(lock) > 1 ? (
          <span className="counter">{words.readers(readersOf(lock))}</span>
        ) : holder ? (
          <>
            <Person lockId={lock.id} {...holder} isAmongLocks />
            {others > 0 && <span className="more">+{others}</span>}
            <PresenceMark presence={holder.presence} />
            {holder.group !== undefined && <GroupChip id={holder.group} isTabStop={isTabStop} />}
          </>
        ) : (
          <span className="nothing">{lock.held ? words.heldByUnknownShort : words.free}</span>
        )}
        {lock.believers !== undefined && <BelieverMark lock={lock} />}
      </td>
      <td data-column="count">{holder && counted === undefined && <HoldCount lock={lock} />}</td>
      <td data-column="lease">
        {lock.held && counted === undefined && (
          <LeaseBar source={lock.source} lease={lock.lease} holders={lock.holders} />
        )}
      </td>
      <td data-column="watchdog" data-label={words.inline.watchdog}>
        {counted === undefined && watchdogText(lock.holders, words)}
      </td>
      <td data-column="waiters" data-label={words.inline.waiters} className={wantedBy(lock) === 0 ? 'is-nothing' : ''}>
        <WaiterNames lock={lock} />
      </td>
      {lock.unread && (
        <td data-column="unread" colSpan={COLUMNS.length}>
          <UnreadMark unread={lock.unread} />
        </td>
      )}
    </>
  );
}

function HoldCount({ lock }: { lock: Lock }) {
  const words = useWords().lock;
  const holder = lock.holders[0];
  if (!holder) return null;
  return (
    <span className={holder.holdCount > 1 ? 'hold-count is-deep' : 'hold-count'}>
      {words.count(holder.holdCount, holder.mode)}
    </span>
  );
}

const WAITERS_NAMED = 1;

function WaiterNames({ lock }: { lock: Lock }) {
  const words = useWords().lock;
  const seesWaiters = useSeesWaiters(lock.source);
  if (waiterCount(lock) === 0) {
    if (wantedBy(lock) > 0)
      return <span title={words.listeningMeaning}>{noWaitersText(lock, seesWaiters, words)}</span>;
    return (
      <span className="nothing" title={seesWaiters ? words.nobody : words.waitersHiddenWhy}>
        {seesWaiters ? '–' : words.waitersHidden}
      </span>
    );
  }
  const rest = waiterCount(lock) - Math.min(lock.waiters.length, WAITERS_NAMED);
  const isInLine = lock.waiters.some(({ position }) => position !== null);
  return (
    <span className="waiters">
      <b className="waiter-count">{isInLine ? waitersText(lock, words) : words.figure(waiterCount(lock))}</b>
      {lock.waiters.slice(0, WAITERS_NAMED).map((waiter) => (
        <span key={`${waiter.id} ${waiter.mode}`} className={waiter.presumedGone ? 'is-presumed-gone' : ''}>
          <Person lockId={lock.id} {...waiter} most={24} isAmongLocks />
          {waiter.presumedGone && ` ${words.presumedGone}`}
        </span>
      ))}
      {rest > 0 && !isInLine && <span className="more">+{words.figure(rest)}</span>}
    </span>
  );
}

/** Columns that the first click sorts in ascending order. */
const RISING: readonly LockSort[] = ['name', 'kind', 'holder', 'lease'];

function isRising(route: OverviewRoute): boolean {
  return RISING.includes(route.sort) !== route.isReversed;
}

/** The first click sorts by a column, the second reverses the order, the third sorts by attention again. */
function nextSort(route: OverviewRoute, sort: LockSort): OverviewRoute {
  if (route.sort !== sort) return { ...route, sort, isReversed: false };
  return route.isReversed ? { ...route, sort: 'attention', isReversed: false } : { ...route, isReversed: true };
}
