import { useMemo, useState } from 'react';
import type { Lock } from '../../shared/wire/lock.ts';
import { useLive } from '../data/use-live.ts';
import { EventList } from '../inspector/EventList.tsx';
import { LeaseBar } from '../inspector/LeaseBar.tsx';
import { waiterText } from '../inspector/lock-words.ts';
import { Person, PresenceMark } from '../inspector/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { lockRoute } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The lock the stage plays with, as Redis holds it now, and its newest events. */
export function StageLock({ name }: { name: string }) {
  const words = useWords().lock;
  const locks = useLive((state) => state.locks);
  const [selected, setSelected] = useState<number | null>(null);
  const lock = useMemo(() => [...locks.values()].find((each) => each.name === name), [locks, name]);
  return (
    <section aria-label="In Redis now" className="panel stage-lock">
      <h2>
        In Redis now:{' '}
        {lock ? (
          <Link to={lockRoute(lock)}>
            <NameText text={name} most={40} />
          </Link>
        ) : (
          <NameText text={name} most={40} />
        )}
      </h2>
      {lock?.held ? <Held lock={lock} /> : <p className="stage-free">Free. Nobody holds it.</p>}
      <p className="stage-waiters">
        {lock?.waiters.map((waiter) => (
          <span key={`${waiter.id} ${waiter.mode}`} className="stage-waiter">
            <Person lockId={lock.id} {...waiter} />{' '}
            {waiter.asleep && !waiter.presumedGone && <span aria-hidden="true">☾ </span>}
            {waiterText(waiter, words)}
          </span>
        ))}
        {(lock?.waiters.length ?? 0) === 0 && <span className="quiet">Nobody waits.</span>}
      </p>
      <EventList
        filter={{ lock: name, type: null, holder: '', source: null, db: null }}
        isOneLock
        selected={selected}
        onSelect={setSelected}
      />
    </section>
  );
}

function Held({ lock }: { lock: Lock }) {
  return (
    <div className="stage-held">
      {lock.holders.map((holder) => (
        <p key={`${holder.id} ${holder.mode}`}>
          <Person lockId={lock.id} {...holder} /> <b className="hold-count">×{holder.holdCount}</b>{' '}
          <PresenceMark presence={holder.presence} />
          <LeaseBar source={lock.source} lease={lock.lease} holders={[holder]} />
        </p>
      ))}
    </div>
  );
}
