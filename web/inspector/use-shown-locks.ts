import { useEffect, useMemo, useRef, useState } from 'react';
import type { Lock } from '../../shared/wire/lock.ts';
import type { OverviewRoute } from '../url/route.ts';
import { compareLocks, isLockShown } from './lock-list.ts';

/** Rows are sorted at most this often. */
const SORT_EVERY_MS = 1000;

/**
 * Returns the locks to show, in order. Rows always show the current state, but are sorted at most once a second. While
 * the reader is using the table, they are sorted only if the number of locks changes.
 */
export function useShownLocks(locks: ReadonlyMap<string, Lock>, route: OverviewRoute, isInUse: boolean): Lock[] {
  const { q, show, sort, isReversed } = route;
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isInUse) return;
    const timer = window.setInterval(() => setRound((last) => last + 1), SORT_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [isInUse]);

  const newest = useRef(locks);
  newest.current = locks;
  const size = locks.size;
  const order = useMemo(() => {
    void round; // sort again in each round
    void size; // and when locks were added or removed
    const sorted = [...newest.current.values()].sort((a, b) => compareLocks(a, b, sort, isReversed));
    return sorted.map((lock) => lock.id);
  }, [sort, isReversed, round, size]);

  return useMemo(() => {
    const shown: Lock[] = [];
    for (const id of order) {
      const lock = locks.get(id);
      if (lock && isLockShown(lock, show, q)) shown.push(lock);
    }
    return shown;
  }, [order, locks, show, q]);
}
