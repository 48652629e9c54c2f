import { Fragment, useMemo } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { KINDS } from '../../shared/events/kinds/kinds.ts';
import { waiterChannel } from '../../shared/events/names/names.ts';
import type { Lock, Waiter } from '../../shared/wire/locks/lock.ts';
import { inQueueOrder, isFound, isLate, isOlder, waiterCount } from '../../shared/wire/locks/lock-facts.ts';
import { useFromShownNow, useShownNow } from '../cursor/shown-instant.ts';
import { ClientLink } from '../parts/ClientLink.tsx';
import { waiterText } from '../parts/lock-words.ts';
import { Person } from '../parts/Person.tsx';
import { useShownThread } from '../parts/shown-threads.tsx';
import { ThreadInDump } from '../parts/ThreadInDump.tsx';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { ageText, countdownText } from '../ui/time-text.ts';
import { useInsightsAbout } from '../verdicts/found-insights.tsx';
import { useWords } from '../words/language.ts';
import { Moment } from './HolderCard.tsx';

const MOST_SHOWN = 200;

/** The waiters of a lock, and what each of them is doing. */
export function WaiterTable({ lock }: { lock: Lock }) {
  const { lock: words, lockPage } = useWords();
  const column = lockPage.waiterColumn;
  const hasQueue = KINDS[lock.kind].hasQueue === true;
  const waiters = useMemo(() => inQueueOrder(lock.waiters), [lock.waiters]);
  const about = useInsightsAbout(lock);
  const blockers = new Set(
    about.flatMap(({ incident, to, holders }) => (incident === 'fair-head-dead' && to === null ? holders : [])),
  );
  const rest = waiterCount(lock) - Math.min(waiters.length, MOST_SHOWN);
  const heads = [
    column.waiter,
    column.waiting,
    column.since,
    column.attempts,
    column.state,
    ...(hasQueue ? [column.keepsPlace, column.channel] : [column.asksAgain]),
  ];
  return (
    <PlainTable label={words.waiters} boxLabel={lockPage.waiterTable} heads={heads} more={rest}>
      {waiters.slice(0, MOST_SHOWN).map((waiter) => (
        <Fragment key={`${waiter.id} ${waiter.mode}`}>
          <tr className={waiter.presumedGone ? 'is-presumed-gone' : ''}>
            <td>
              {waiter.position !== null && <span className="quiet">{waiter.position}. </span>}
              <ClientLink client={waiter.client} source={lock.source}>
                <Person lockId={lock.id} {...waiter} most={48} />
              </ClientLink>
              {waiter.mode !== 'exclusive' && <span className="quiet"> {lockPage.toMode(waiter.mode)}</span>}
            </td>
            <td>
              <WaitLength source={lock.source} waiter={waiter} />
            </td>
            <td>{isOlder(waiter) ? lockPage.beginUnseen : <Moment at={waiter.since} />}</td>
            <td>{isFound(waiter) ? '–' : waiter.attempts}</td>
            <td>
              <WaiterState waiter={waiter} lock={lock} isBlocking={blockers.has(waiter.id)} />
            </td>
            <td>
              {waiter.deadline === null ? (
                '–'
              ) : (
                <TimeLeft
                  source={lock.source}
                  until={waiter.deadline}
                  say={hasQueue ? lockPage.keepsFor : lockPage.asksIn}
                  over={hasQueue ? lockPage.placeOver : null}
                />
              )}
            </td>
            {hasQueue && (
              <td>
                <code>
                  <NameText text={waiterChannel(lock.name, waiter.id)} most={64} isOneLine />
                </code>
              </td>
            )}
          </tr>
          <ThreadRow waiter={waiter} columns={heads.length} />
        </Fragment>
      ))}
    </PlainTable>
  );
}

/** What a thread dump shows about a waiter, below its row. */
function ThreadRow({ waiter, columns }: { waiter: Waiter; columns: number }) {
  const shown = useShownThread(waiter.id);
  return (
    shown && (
      <tr className="thread-row">
        <td colSpan={columns}>
          <ThreadInDump shown={shown} since={isFound(waiter) ? null : waiter.since} />
        </td>
      </tr>
    )
  );
}

type WaiterStateProps = { waiter: Waiter; lock: Lock; isBlocking: boolean };

function WaiterState({ waiter, lock, isBlocking }: WaiterStateProps) {
  const { lock: words, lockPage } = useWords();
  const isOverdue = useFromShownNow(lock.source, (now) => now !== null && isLate(waiter, lock, now));
  const text = isOverdue ? words.late : waiterText(waiter, words, lock.kind, isBlocking);
  if (waiter.presumedGone) {
    return (
      <span className="certainty is-inferred" title={lockPage.presumedGoneMeaning}>
        {text}
      </span>
    );
  }
  return (
    <>
      <span aria-hidden="true">{isOverdue ? '' : waiter.asleep ? '☾ ' : isFound(waiter) ? '' : '◔ '}</span>
      {text}
    </>
  );
}

function WaitLength({ source, waiter }: { source: string; waiter: Waiter }) {
  const { lockPage } = useWords();
  const length = useFromShownNow(source, (now) =>
    now === null ? null : ageText(Math.max(0, (now - redisTime(waiter.since)) / 1000)),
  );
  if (length === null) return '–';
  return isOlder(waiter) ? lockPage.longerThan(length) : length;
}

type TimeLeftProps = { source: string; until: number; say: (length: string) => string; over: string | null };

function TimeLeft({ source, until, say, over }: TimeLeftProps) {
  const now = useShownNow(source);
  if (now === null) return '–';
  const leftMs = (redisTime(until) - now) / 1000;
  return leftMs <= 0 && over !== null ? over : say(countdownText(leftMs));
}
