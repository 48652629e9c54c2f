import { useEffect, useMemo, useRef, useState } from 'react';
import type { Lock } from '../../shared/wire/lock.ts';
import type { OverviewRoute } from '../url/route.ts';
import { compareLocks, isLockShown } from './lock-list.ts';

/** How often rows may change places while nobody points at them. */
const SORT_EVERY_MS = 1000;

/**
 * The locks to show, in order. What a row says is always of now; its place changes at most once a second,
 * and not at all while the reader is in the table: newcomers go to the end then.
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
    void round; // a new round sorts again
    void size; // and so does a lock that came or went
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
