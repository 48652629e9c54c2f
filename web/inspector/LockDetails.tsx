import type { Lock } from '../../shared/wire/lock.ts';
import { problemFromError } from '../data/http.ts';
import { LONGEST_NAME_ASKED, useLockDetail } from '../data/queries.ts';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import type { LockRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { CertaintyMark } from './Certainty.tsx';
import { EventList } from './EventList.tsx';
import { HolderCard } from './HolderCard.tsx';
import { KeyTable, LockStats } from './LockFigures.tsx';
import { noWaitersText } from './lock-words.ts';
import { useSeesWaiters } from './people.ts';
import { WaiterTable } from './WaiterTable.tsx';

/** Everything about one lock: holders, waiters, figures, keys, events. */
export function LockDetails({ lock, route }: { lock: Lock; route: LockRoute }) {
  const words = useWords();
  const problem = (error: unknown) => problemFromError(error, words);
  const said = words.lock;
  const detail = useLockDetail(lock);
  const seesWaiters = useSeesWaiters(lock.source);
  const isNameTooLong = lock.name.length > LONGEST_NAME_ASKED;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>
          <NameText text={lock.name} most={120} />
        </h1>
        <p className="lock-facts">
          <span>{said.kind[lock.kind]}</span>
          <span>
            {lock.library}
            {lock.clientVersion !== undefined && ` ${lock.clientVersion}`}
          </span>
          <span>{said.place(lock.source, lock.db)}</span>
          {lock.fencingToken !== undefined && <span>{said.fencingToken(String(lock.fencingToken))}</span>}
          <CertaintyMark certainty={lock.certainty} />
        </p>
      </header>

      <section aria-label={said.holders} className="holder-cards">
        {lock.holders.map((holder) => (
          <HolderCard key={`${holder.id} ${holder.mode}`} lock={lock} holder={holder} />
        ))}
        {lock.holders.length === 0 && <p className="card is-empty">{lock.held ? said.heldByUnknown : said.isFree}</p>}
      </section>

      <section aria-label={said.waiters} className="panel">
        <h2>
          {said.waiting}{' '}
          <span className="quiet">
            {lock.waiters.length === 0 ? noWaitersText(lock.subscribers, seesWaiters, said) : lock.waiters.length}
          </span>
          {lock.subscribers !== null && <span className="quiet is-right">{said.subscriptions(lock.subscribers)}</span>}
        </h2>
        {lock.waiters.length > 0 && <WaiterTable lock={lock} />}
      </section>

      {detail.error && (
        <Notice tone="hint" title={problem(detail.error).message}>
          {problem(detail.error).hint}
        </Notice>
      )}
      {isNameTooLong && (
        <Notice tone="hint" title={said.noFigures}>
          {said.nameTooLong(lock.name.length)}
        </Notice>
      )}
      {detail.data && !isNameTooLong && (
        <div className="figure-columns">
          <LockStats stats={detail.data.stats} />
          <KeyTable keys={detail.data.keys} />
        </div>
      )}

      <section aria-label={said.eventsLabel} className="panel is-tall">
        <h2>{said.events}</h2>
        <EventList
          filter={{ lock: lock.name, type: null, holder: '', source: lock.source, db: lock.db }}
          isOneLock
          selected={route.selected}
          onSelect={(selected) => navigate({ ...route, selected }, { replace: true })}
        />
      </section>
    </div>
  );
}
