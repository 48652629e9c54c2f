import '../charts/charts.css';
import { useMemo, useRef } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import type { LiveState } from '../data/live/live-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { LONGEST_NAME_ASKED } from '../data/queries/queries.ts';
import { LockAsOf } from '../lock/LockAsOf.tsx';
import { LockDetails } from '../lock/LockDetails.tsx';
import { LockMonth } from '../lock/LockMonth.tsx';
import { NotWatching, useNoSight } from '../parts/NotWatching.tsx';
import { useLacksRights } from '../parts/use-missing.ts';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { isPointerTo } from '../url/lock-link.ts';
import { EVENTS, type LockRoute, lockRoute, OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The page of one lock, now or at the cursor. */
export default function LockPage({ route }: { route: LockRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const { pointer } = route;
  const found = useFound(route);
  const [lock, ...others] = found;
  const name = lock?.name ?? ('name' in pointer ? pointer.name : null);
  if (cursor.mode === 'paused' && name !== null && name.length <= LONGEST_NAME_ASKED && others.length === 0) {
    return <LockAsOf name={name} lock={lock} at={cursor.at} route={route} />;
  }
  if (!lock) return <NoSuchLock route={route} />;
  if (others.length > 0) return <WhichLock locks={found} />;
  return <LockDetails lock={lock} route={route} />;
}

/** The locks that a route may mean. The page renders again only if one of them changes. */
function useFound({ pointer, source, db }: LockRoute): readonly Lock[] {
  const last = useRef<{ locks: ReadonlyMap<string, Lock> | null; found: readonly Lock[] }>({ locks: null, found: [] });
  const find = useMemo(() => {
    last.current = { locks: null, found: last.current.found };
    return ({ locks }: LiveState) => {
      if (locks === last.current.locks) return last.current.found;
      const found: Lock[] = [];
      for (const lock of locks.values()) {
        const isThere = (source === null || lock.source === source) && (db === null || lock.db === db);
        if (isThere && isPointerTo(pointer, lock.name)) found.push(lock);
      }
      const before = last.current.found;
      const isSame = found.length === before.length && found.every((lock, n) => lock === before[n]);
      last.current = { locks, found: isSame ? before : found };
      return last.current.found;
    };
  }, [pointer, source, db]);
  return useLive(find);
}

function NoSuchLock({ route }: { route: LockRoute }) {
  const { lock, lockPage, overview } = useWords();
  const lacksRights = useLacksRights();
  const isLive = useLive((state) => state.snapshotCount > 0);
  const noSight = useNoSight();
  const name = 'name' in route.pointer ? route.pointer.name : null;
  return (
    <div className="page">
      <h1 tabIndex={-1}>{name === null ? lockPage.longName : <NameText text={name} most={120} />}</h1>
      {noSight ? (
        <NotWatching noSight={noSight} />
      ) : isLive ? (
        <EmptyState
          title={lockPage.notInMemory}
          actions={
            <>
              <Link className="button is-primary" to={OVERVIEW}>
                {lockPage.allLocks}
              </Link>
              {name !== null && (
                <>
                  <Link className="button" to={{ ...OVERVIEW, q: name }}>
                    {lockPage.findSimilar}
                  </Link>
                  <Link className="button" to={{ ...EVENTS, lock: name }}>
                    {lockPage.pastEvents}
                  </Link>
                </>
              )}
            </>
          }
        >
          <p>{lockPage.notInMemoryHint}</p>
          {lacksRights && <p>{overview.lacksRights}</p>}
        </EmptyState>
      ) : (
        <EmptyState title={lock.connecting} />
      )}
      {name !== null && <LockMonth name={name} source={route.source} db={route.db} />}
    </div>
  );
}

function WhichLock({ locks }: { locks: readonly Lock[] }) {
  const { lock: words, lockPage } = useWords();
  return (
    <div className="page">
      <h1 tabIndex={-1}>
        <NameText text={locks[0]?.name ?? ''} most={120} />
      </h1>
      <EmptyState title={words.which(locks.length)}>
        <ul className="choice-list">
          {locks.map((lock) => (
            <li key={lock.id}>
              <Link to={lockRoute(lock)}>{lockPage.whichPlace(words.place(lock.source, lock.db), lock.held)}</Link>
            </li>
          ))}
        </ul>
      </EmptyState>
    </div>
  );
}
