import { useMemo } from 'react';
import type { Lock } from '../../shared/wire/lock.ts';
import { useLive } from '../data/use-live.ts';
import { LockDetails } from '../inspector/LockDetails.tsx';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { isPointerTo } from '../url/lock-link.ts';
import { EVENTS, type LockRoute, lockRoute, OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';

/** What is this lock's life like? */
export function LockPage({ route }: { route: LockRoute }) {
  const locks = useLive((state) => state.locks);
  const { pointer, source, db } = route;
  const found = useMemo(() => {
    const matches: Lock[] = [];
    for (const lock of locks.values()) {
      const isThere = (source === null || lock.source === source) && (db === null || lock.db === db);
      if (isThere && isPointerTo(pointer, lock.name)) matches.push(lock);
    }
    return matches;
  }, [locks, pointer, source, db]);

  const [lock, ...others] = found;
  if (!lock) return <NoSuchLock route={route} />;
  if (others.length > 0) return <WhichLock locks={found} />;
  return <LockDetails lock={lock} route={route} />;
}

function NoSuchLock({ route }: { route: LockRoute }) {
  const isLive = useLive((state) => state.beginning > 0);
  const name = 'name' in route.pointer ? route.pointer.name : null;
  return (
    <div className="page">
      <h1 tabIndex={-1}>{name === null ? 'Lock with a long name' : <NameText text={name} most={120} />}</h1>
      {isLive ? (
        <EmptyState
          title="No lock of that name is in memory."
          actions={
            <>
              <Link className="button is-primary" to={OVERVIEW}>
                All locks
              </Link>
              {name !== null && (
                <>
                  <Link className="button" to={{ ...OVERVIEW, q: name }}>
                    Find similar names
                  </Link>
                  <Link className="button" to={{ ...EVENTS, lock: name }}>
                    Its past events
                  </Link>
                </>
              )}
            </>
          }
        >
          <p>
            It may never have been held while Lockscope watched, or its last trace is too old. This page shows it as
            soon as somebody takes it.
          </p>
        </EmptyState>
      ) : (
        <EmptyState title="Connecting to Lockscope." />
      )}
    </div>
  );
}

function WhichLock({ locks }: { locks: readonly Lock[] }) {
  return (
    <div className="page">
      <h1 tabIndex={-1}>
        <NameText text={locks[0]?.name ?? ''} most={120} />
      </h1>
      <EmptyState title={`${locks.length} locks have this name. Which one?`}>
        <ul className="choice-list">
          {locks.map((lock) => (
            <li key={lock.id}>
              <Link to={lockRoute(lock)}>
                {lock.source}, database {lock.db}: {lock.held ? 'held' : 'free'}
              </Link>
            </li>
          ))}
        </ul>
      </EmptyState>
    </div>
  );
}
