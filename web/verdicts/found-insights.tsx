import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { isInsight, type LockEvent } from '../../shared/events/event.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { insightsAbout } from '../../shared/wire/insights/insights-about.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { ShownInstant, useFromShownNow } from '../cursor/shown-instant.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { type Found, useInsights } from '../data/queries/insights.ts';
import { useSeesWaitersOf } from '../parts/people.ts';
import { changesHands, isAskedFor, type LockVerdict, verdictOf } from './lock-verdict.ts';

/** What the detectors found at the shown instant; undefined: not read yet; `failed`: it cannot be read. */
const FoundInsights = createContext<Found | 'failed' | undefined>(undefined);

type InsightsProviderProps = { lastKnownAt: RedisTime | null; children: ReactNode };

/** Reads what the detectors found at the shown instant, or at the last known one, for everything inside. */
export function InsightsProvider({ lastKnownAt, children }: InsightsProviderProps) {
  const at = useContext(ShownInstant) ?? lastKnownAt;
  const { data, isError, refetch } = useInsights(at);
  const isOff = useLive((state) => isCutOff(state));
  const newestSeq = useLive((state) => newestVerdict(state.events));
  // a problem that began or ended is shown at once
  useEffect(() => {
    if (newestSeq > 0 && at === null) void refetch();
  }, [newestSeq, at, refetch]);
  return <FoundInsights value={isError && !(isOff && data) ? 'failed' : data}>{children}</FoundInsights>;
}

export function useFound(): Found | undefined {
  const found = useContext(FoundInsights);
  return found === 'failed' ? undefined : found;
}

/** Whether what the detectors found cannot be read. */
export function useIsUnreadable(): boolean {
  return useContext(FoundInsights) === 'failed';
}

/** How many of the newest events are searched for one about a verdict. */
const SEARCHED = 200;

/** The `seq` of the newest event about a verdict; 0: none among the newest events. */
function newestVerdict(events: readonly LockEvent[]): number {
  for (let n = events.length - 1; n >= Math.max(0, events.length - SEARCHED); n--) {
    const event = events[n];
    if (event && isInsight(event)) return event.seq;
  }
  return 0;
}

const NONE: readonly WireInsight[] = [];

/** The insights about a lock at the shown instant. */
export function useInsightsAbout(lock: Lock): readonly WireInsight[] {
  const found = useFound();
  return useMemo(() => (found ? insightsAbout(found.insights, lock) : NONE), [found, lock]);
}

/** The verdict about a lock at the shown instant; null: none, or not read yet. */
export function useLockVerdict(lock: Lock): LockVerdict | null {
  const found = useFound();
  const about = useInsightsAbout(lock);
  const seesWaiters = useSeesWaitersOf(lock);
  const isChangingHands = useFromShownNow(lock.source, (now) => now !== null && changesHands(lock, now));
  const isAsked = useFromShownNow(lock.source, (now) => now !== null && isAskedFor(lock, now));
  const dismissed = useDismissed(dismissedProblems);
  const shown = about.filter(({ id, to }) => to === null || !dismissed.has(id));
  return found ? verdictOf(lock, shown, { seesWaiters, isChangingHands, isAskedFor: isAsked }) : null;
}
