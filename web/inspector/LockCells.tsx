import { memo, Suspense } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import { handoversPerSecond } from '../../shared/state/handovers.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import {
  type Beginning,
  holderCount,
  oldestHold,
  oldestWait,
  readersOf,
  waiterCount,
} from '../../shared/wire/lock-facts.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useFromShownNow } from '../cursor/shown-instant.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { NameText } from '../ui/NameText.tsx';
import { ageText, rateText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { CertaintyMark } from './Certainty.tsx';
import { counterText } from './counter-words.ts';
import { GroupChip } from './events/GroupChip.tsx';
import { LeaseBar } from './LeaseBar.tsx';
import { ShortPlace } from './LockPlace.tsx';
import { handoversOf } from './lock-list.ts';
import { noWaitersText, waitersText } from './lock-words.ts';
import { Person, PresenceMark } from './Person.tsx';
import { useSeesWaiters } from './people.ts';
import { UnreadMark } from './UnreadMark.tsx';
import { LockVerdictMark } from './verdicts/LockVerdictMark.tsx';

const BelieverMark = lazyPart(() => import('./BelieverMark.tsx'));

type LockCellsProps = { lock: Lock; isTabStop: boolean; hasManySources: boolean; columns: number };

/** The cells of one lock in the table of locks. They are rendered again only if the lock changes. */
export const LockCells = memo(function LockCells({ lock, isTabStop, hasManySources, columns }: LockCellsProps) {
  const { counters, lock: words } = useWords();
  const counted = counterText(lock, counters);
  const { inline } = words;
  return (
    <>
      <td data-column="lock">
        <Link to={lockNow(lock)} className="row-link" data-row-focus tabIndex={isTabStop ? 0 : -1}>
          <NameText text={lock.name} most={MOST_OF_NAME} isOneLine />
        </Link>
        <ShortPlace lock={lock} hasManySources={hasManySources} />
        {lock.certainty === 'inferred' && <CertaintyMark certainty="inferred" />}
      </td>
      <td data-column="verdict">
        <LockVerdictMark lock={lock} />
      </td>
      <td data-column="kind">{words.kind[lock.kind]}</td>
      <td data-column="holder">
        <HolderOf lock={lock} counted={counted} isTabStop={isTabStop} />
      </td>
      <td data-column="held" data-label={inline.held}>
        <Age source={lock.source} since={oldestHold(lock)} />
      </td>
      <td data-column="lease" data-label={inline.lease}>
        {lock.held && counted === undefined && (
          <LeaseBar source={lock.source} lease={lock.lease} holders={lock.holders} />
        )}
      </td>
      <td data-column="waiters" data-label={inline.waiters} className={wantedBy(lock) === 0 ? 'is-nothing' : ''}>
        <WaiterNames lock={lock} />
      </td>
      <td data-column="wait" data-label={inline.wait}>
        <Age source={lock.source} since={oldestWait(lock)} />
      </td>
      <td data-column="rate" data-label={inline.rate}>
        <Rate lock={lock} />
      </td>
      {lock.unread && (
        <td data-column="unread" colSpan={columns}>
          <UnreadMark unread={lock.unread} />
        </td>
      )}
    </>
  );
});

/** Longer names are cut in the middle, however wide the window is. */
const MOST_OF_NAME = 200;

type HolderOfProps = { lock: Lock; counted: string | undefined; isTabStop: boolean };

/** The holder of a lock, after a mark if it is gone, and with its hold count if that is not 1. */
function HolderOf({ lock, counted, isTabStop }: HolderOfProps) {
  const words = useWords().lock;
  const [holder] = lock.holders;
  const others = holderCount(lock) - 1;
  const believers = lock.believers !== undefined && (
    <Suspense>
      <BelieverMark lock={lock} />
    </Suspense>
  );
  if (counted !== undefined || !holder || readersOf(lock) > 1) {
    const text = counted ?? (holder ? words.readers(readersOf(lock)) : undefined);
    return (
      <>
        {text === undefined ? (
          <span className="nothing">{lock.held ? words.heldByUnknownShort : words.free}</span>
        ) : (
          <span className={lock.held ? 'counter' : 'counter nothing'}>{text}</span>
        )}
        {believers}
      </>
    );
  }
  const { holdCount, mode, presence, group } = holder;
  return (
    <>
      <PresenceMark presence={presence} />
      <Person lockId={lock.id} {...holder} isAmongLocks />
      {(holdCount > 1 || mode !== 'exclusive') && (
        <span className={holdCount > 1 ? 'hold-count is-deep' : 'hold-count'}>{words.count(holdCount, mode)}</span>
      )}
      {others > 0 && <span className="more">+{others}</span>}
      {group !== undefined && <GroupChip id={group} isTabStop={isTabStop} />}
      {believers}
    </>
  );
}

/** The time since a beginning, updated as time passes. */
function Age({ source, since }: { source: string; since: Beginning | null }) {
  const words = useWords().lock;
  const age = useFromShownNow(source, (now) =>
    since === null || now === null ? null : ageText(Math.max(1000, (now - since.at) / 1000)),
  );
  if (since === null || age === null) return null;
  return since.isAtLeast ? <span title={words.sinceBefore}>{words.moreThan(age)}</span> : age;
}

/** Lower averages are not shown: one hand-over fades to this within two minutes. */
const LEAST_RATE = 0.0005;

/** The average of the hand-overs. It is not shown at a level that sees none, where it would only fade. */
function Rate({ lock }: { lock: Lock }) {
  const seesWaiters = useSeesWaiters(lock.source);
  const handovers = handoversOf(lock);
  return useFromShownNow(lock.source, (now) => {
    if (!handovers || !seesWaiters || now === null) return null;
    const rate = handoversPerSecond(handovers, now);
    return rate < LEAST_RATE ? null : rateText(rate);
  });
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
