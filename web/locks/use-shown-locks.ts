import { useEffect, useMemo, useRef, useState } from 'react';
import { type ByNeed, byNeedOf } from '../../shared/wire/insights/by-need.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { OverviewRoute } from '../url/route.ts';
import { useFound } from '../verdicts/found-insights.tsx';
import { compareLocks } from './columns/lock-order.ts';
import { isLockShown } from './lock-list.ts';

/** The pause between two checks whether the rows have to be sorted again. */
const SORT_EVERY_MS = 1000;

/**
 * Returns the locks to show, in order. Rows always show the current state.
 *
 * - Rows are sorted at once if the number of locks or the chosen order changes.
 * - Otherwise they are sorted at most once a second, and not while the user is using the table.
 */
export function useShownLocks(locks: ReadonlyMap<string, Lock>, route: OverviewRoute, isInUse: boolean): Lock[] {
  const { q, show, sort, isReversed } = route;
  const found = useFound();
  const byNeed = useMemo(() => byNeedOf(found?.insights ?? []), [found]);
  const [round, setRound] = useState(0);
  const newest = useRef({ locks, byNeed });
  newest.current = { locks, byNeed };
  const size = locks.size;
  const order = useMemo(() => {
    void round; // sort again in each round
    void size; // and when locks were added or removed
    return sortedIds(newest.current, sort, isReversed);
  }, [sort, isReversed, round, size]);

  useEffect(() => {
    if (isInUse) return;
    const timer = window.setInterval(() => {
      const isSame = sortedIds(newest.current, sort, isReversed).every((id, n) => id === order[n]);
      if (!isSame) setRound((last) => last + 1);
    }, SORT_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [isInUse, order, sort, isReversed]);

  return useMemo(() => {
    const shown: Lock[] = [];
    for (const id of order) {
      const lock = locks.get(id);
      if (lock && isLockShown(lock, show, q)) shown.push(lock);
    }
    return shown;
  }, [order, locks, show, q]);
}

type Sortable = { readonly locks: ReadonlyMap<string, Lock>; readonly byNeed: ByNeed };

function sortedIds({ locks, byNeed }: Sortable, sort: OverviewRoute['sort'], isReversed: boolean): string[] {
  return [...locks.values()].sort((a, b) => compareLocks(a, b, sort, isReversed, byNeed)).map(({ id }) => id);
}
