import type { Lock } from '../../shared/wire/lock.ts';
import { problemFromError } from '../data/http.ts';
import { LONGEST_NAME_ASKED, useLockDetail } from '../data/queries.ts';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { countOf } from '../ui/time-text.ts';
import type { LockRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { CertaintyMark } from './Certainty.tsx';
import { EventList } from './EventList.tsx';
import { HolderCard } from './HolderCard.tsx';
import { KeyTable, LockStats } from './LockFigures.tsx';
import { kindText, noWaitersText } from './lock-words.ts';
import { useSeesWaiters } from './people.ts';
import { WaiterTable } from './WaiterTable.tsx';

/** Everything about one lock: holders, waiters, figures, keys, events. */
export function LockDetails({ lock, route }: { lock: Lock; route: LockRoute }) {
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
          <span>{kindText(lock.kind)}</span>
          <span>
            {lock.library}
            {lock.clientVersion !== undefined && ` ${lock.clientVersion}`}
          </span>
          <span>
            {lock.source}, database {lock.db}
          </span>
          {lock.fencingToken !== undefined && <span>fencing token {lock.fencingToken}</span>}
          <CertaintyMark certainty={lock.certainty} />
        </p>
      </header>

      <section aria-label="Holders" className="holder-cards">
        {lock.holders.map((holder) => (
          <HolderCard key={`${holder.id} ${holder.mode}`} lock={lock} holder={holder} />
        ))}
        {lock.holders.length === 0 && (
          <p className="card is-empty">{lock.held ? 'Held, by whom is not known.' : 'Free. Nobody holds it now.'}</p>
        )}
      </section>

      <section aria-label="Waiters" className="panel">
        <h2>
          Waiting{' '}
          <span className="quiet">
            {lock.waiters.length === 0 ? noWaitersText(lock.subscribers, seesWaiters) : lock.waiters.length}
          </span>
          {lock.subscribers !== null && (
            <span className="quiet is-right">{countOf(lock.subscribers, 'subscription')} to its wake-up channel</span>
          )}
        </h2>
        {lock.waiters.length > 0 && <WaiterTable lock={lock} />}
      </section>

      {detail.error && (
        <Notice tone="hint" title={problemFromError(detail.error).message}>
          {problemFromError(detail.error).hint}
        </Notice>
      )}
      {isNameTooLong && (
        <Notice tone="hint" title="Figures and keys cannot be asked for.">
          The name has {countOf(lock.name.length, 'character')}, more than a request can carry.
        </Notice>
      )}
      {detail.data && !isNameTooLong && (
        <div className="figure-columns">
          <LockStats stats={detail.data.stats} />
          <KeyTable keys={detail.data.keys} />
        </div>
      )}

      <section aria-label="Events of this lock" className="panel is-tall">
        <h2>Events</h2>
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
