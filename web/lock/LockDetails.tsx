import { memo, type ReactNode } from 'react';
import { countedBy, isCounterKind } from '../../shared/events/kinds/kinds.ts';
import { collectionOfEntryLock } from '../../shared/events/names/names.ts';
import type { Lock, LockDetail } from '../../shared/wire/locks/lock.ts';
import { holderCount, readersOf, waiterCount } from '../../shared/wire/locks/lock-facts.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { useCursor } from '../cursor/cursor.ts';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { eventsNow, timelineOf } from '../cursor/routes-now.ts';
import { useSelection } from '../cursor/selection.ts';
import { useCutOffAt, useIsShownClockStopped, useLastKnownAt } from '../cursor/shown-instant.ts';
import { problemFromError } from '../data/http/http.ts';
import { ALL_EVENTS } from '../data/queries/event-list.ts';
import { LONGEST_NAME_ASKED, useLockDetail } from '../data/queries/queries.ts';
import { EventList } from '../events/EventList.tsx';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { LockPlace } from '../parts/LockPlace.tsx';
import { libraryName, modeOf, noWaitersText, waitersText } from '../parts/lock-words.ts';
import { useHidesWaiters, useSeesWaiters } from '../parts/people.ts';
import { ThreadsProvider } from '../parts/shown-threads.tsx';
import { UnreadNotice } from '../parts/UnreadMark.tsx';
import { useRangeLimits } from '../range/use-range-limits.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import type { LockRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { InsightsProvider } from '../verdicts/found-insights.tsx';
import { AskedFor } from '../verdicts/LockVerdictMark.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { BelieverCards } from './BelieverCards.tsx';
import { CounterPanel } from './CounterPanel.tsx';
import { GroupPanels } from './GroupPanel.tsx';
import { HolderCard } from './HolderCard.tsx';
import { KeyTable, LockStats } from './LockFigures.tsx';
import { LockHistories } from './LockHistories.tsx';
import { LockMonth } from './LockMonth.tsx';
import { LockTurns } from './LockTurns.tsx';
import { LockVerdicts } from './LockVerdicts.tsx';
import { PermitTable } from './PermitTable.tsx';
import { PrintedPlace } from './PrintedPlace.tsx';
import { ProbablyLock } from './ProbablyLock.tsx';
import { ShareLock } from './ShareLock.tsx';
import { WaiterTable } from './WaiterTable.tsx';
import { WhatYouCanDo } from './WhatYouCanDo.tsx';

/** Maximum number of holder cards. A lock may have many readers. */
const MOST_CARDS = 30;

type LockDetailsProps = {
  /** The lock at the shown instant. At a past instant it includes the statistics of that instant. */
  lock: Lock | LockDetail;
  /** The current lock, if the shown instant is in the past. */
  now?: Lock | undefined;
  route: LockRoute;
};

/** All details of one lock: holders, waiters, histories, statistics, keys, events. */
export function LockDetails({ lock, now = lock, route }: LockDetailsProps) {
  const words = useWords();
  const problem = (error: unknown) => problemFromError(error, words);
  const { lock: texts, lockPage } = words;
  const detail = useLockDetail(now);
  const stats = 'stats' in lock ? lock.stats : detail.data?.stats;
  const seesWaiters = useSeesWaiters(lock.source);
  const hidden = useHidesWaiters(lock);
  const isStopped = useIsShownClockStopped(lock.source);
  const lastKnownAt = useLastKnownAt(lock.source);
  const cutOffAt = useCutOffAt();
  const mode = modeOf(lock);
  const cards = lock.holders.slice(0, MOST_CARDS);
  const collection = collectionOfEntryLock(lock.name);
  const isCounter = isCounterKind(lock.kind);
  const isNameTooLong = lock.name.length > LONGEST_NAME_ASKED;
  return (
    <InsightsProvider lastKnownAt={lastKnownAt}>
      <ThreadsProvider holders={peopleOf(lock)}>
        <div className="page is-lock">
          <header className="page-head">
            <h1 tabIndex={-1}>
              <NameText text={lock.name} most={120} />
            </h1>
            <p className="lock-facts">
              <span>{texts.kind[lock.kind]}</span>
              {mode !== null && <span>{lockPage.heldFor[mode]}</span>}
              {mode === 'read' && <span>{texts.readers(readersOf(lock))}</span>}
              {collection !== undefined && <span>{lockPage.entryOf(collection.slice(0, 120))}</span>}
              <span>
                {libraryName(lock, texts)}
                {lock.clientVersion !== undefined && ` ${lock.clientVersion}`}
              </span>
              {lock.library === 'unknown' && lock.kindKnown === false && !lock.evidence && (
                <span>{lockPage.onlyLooksLike}</span>
              )}
              <LockPlace lock={lock} />
              {lock.fencingToken !== undefined && <span>{texts.fencingToken(String(lock.fencingToken))}</span>}
              <CertaintyMark certainty={lock.certainty} assumedSince={lock.assumedSince} />
              <CopyButton text={lock.name} label={lockPage.copyName} />
            </p>
            <LockLinks name={lock.name}>
              <ShareLock lock={lock} route={route} />
            </LockLinks>
          </header>
          <ProbablyLock lock={lock} />
          <PrintedPlace route={route} source={lock.source} />
          <LinkNotices route={route} />
          <AsOfBanner />
          <UnreadNotice now={now} />
          <LockVerdicts lock={lock} lastKnownAt={lastKnownAt ?? cutOffAt} />

          <div className="lock-main">
            <CounterPanel lock={lock} />
            {isCounter ? (
              <PermitTable lock={lock} />
            ) : (
              <section aria-label={texts.holders} className="holder-cards">
                {cards.map((holder) => (
                  <HolderCard key={`${holder.id} ${holder.mode}`} lock={lock} holder={holder} />
                ))}
                {holderCount(lock) === 0 && <p className="card is-empty">{noClientText(lock, isStopped, words)}</p>}
                {holderCount(lock) > cards.length && (
                  <p className="card is-empty">{texts.moreHolders(holderCount(lock) - cards.length)}</p>
                )}
              </section>
            )}

            <section aria-label={texts.waiters} className="panel">
              <h2>
                {texts.waiting}{' '}
                <span className="quiet">
                  {waiterCount(lock) > 0 ? (
                    waitersText(lock, hidden, texts)
                  ) : (
                    <AskedFor lock={lock} none={noWaitersText(lock, hidden, texts)} />
                  )}
                </span>
                {lock.subscribers !== null && (waiterCount(lock) > 0 || lock.subscribers === 0) && (
                  <span className="quiet is-right">
                    {lockPage.subscriptions(lock.subscribers, countedBy(lock.kind) === 'latch')}
                  </span>
                )}
              </h2>
              {waiterCount(lock) > 0 && <WaiterTable lock={lock} />}
            </section>

            <div className="lock-answers">
              <LockTurns lock={lock} />
              <WhatYouCanDo lock={lock} />
            </div>
            <BelieverCards lock={lock} />
            <GroupPanels lock={lock} />

            {detail.error && (
              <Notice tone="hint" title={problem(detail.error).message}>
                {problem(detail.error).hint}
              </Notice>
            )}
            {isNameTooLong && (
              <Notice tone="hint" title={lockPage.noFigures}>
                {lockPage.nameTooLong(lock.name.length)}
              </Notice>
            )}
            <div className="figure-columns">
              <LockHistories lock={now} />
              {detail.data && !isNameTooLong && (
                <>
                  <KeyTable
                    keys={detail.data.keys}
                    source={lock.source}
                    changedAt={now.changedAt}
                    isRead={!now.unread}
                  />
                  {stats && <LockStats stats={stats} seesRefusals={seesWaiters} />}
                </>
              )}
              <LockMonth name={lock.name} source={lock.source} db={lock.db} />
            </div>
          </div>

          <LockEvents lock={lock} route={route} />
        </div>
      </ThreadsProvider>
    </InsightsProvider>
  );
}

function peopleOf({ holders, waiters }: Lock): string[] {
  return [...new Set([...holders.slice(0, MOST_CARDS), ...waiters].map(({ id }) => id))];
}

function noClientText(
  { held, holderUnseen, lost }: Lock,
  isStopped: boolean,
  { lock: texts, lockPage }: Words,
): string {
  if (holderUnseen) return texts.holderUnseen;
  if (held) return lockPage.heldByUnknown;
  if (isStopped) return lockPage.wasFree;
  return lost ? lockPage.isFreeSince[lost.by](secondsText(lost.at)) : texts.isFree;
}

type LockEventsProps = { lock: Pick<Lock, 'name' | 'source' | 'db'>; route: LockRoute };

/** The events of one lock, at the cursor. Rendered again by its own events, and not with the rest of the page. */
export const LockEvents = memo(function LockEvents({ lock, route }: LockEventsProps) {
  const { lock: texts, lockPage } = useWords();
  const limits = useRangeLimits();
  return (
    <section aria-label={lockPage.eventsLabel} className="panel is-tall">
      <h2>{texts.events}</h2>
      <EventList
        filter={{ ...ALL_EVENTS, lock: lock.name, source: lock.source, db: lock.db, ...limits }}
        isOneLock
        selected={route.selected}
        onMoment={(moment) => navigate({ ...route, ...moment }, { replace: moment.selected === null })}
      />
    </section>
  );
}, isSameList);

function isSameList(a: LockEventsProps, b: LockEventsProps): boolean {
  return (
    a.route === b.route && a.lock.name === b.lock.name && a.lock.source === b.lock.source && a.lock.db === b.lock.db
  );
}

/** Links to other pages about this lock, with the current cursor and selection. */
export function LockLinks({ name, children }: { name: string; children?: ReactNode }) {
  const { pastInstant } = useWords();
  useCursor();
  useSelection();
  return (
    <div className="lock-ways">
      <Link className="button is-small" to={timelineOf(name)}>
        {pastInstant.showInTimeline}
      </Link>
      <Link className="button is-small" to={eventsNow(name)}>
        {pastInstant.eventsOfLock}
      </Link>
      {children}
    </div>
  );
}
