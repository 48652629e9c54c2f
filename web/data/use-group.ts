import { useMemo } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { groupFromEvents, type LockGroup } from '../../shared/spans/group-from-events.ts';
import { ALL_EVENTS, eventMatcher, mergeEvents } from './event-list.ts';
import { useRememberedEvents } from './queries.ts';
import { useLive } from './use-live.ts';

/** Events of one group asked for: it has a handful for each of its locks, and renewals. */
const MOST_ASKED = 2000;

/** A multi lock or RedLock at an instant, or now: from the server's memory, and what came live since. */
export function useGroup(id: string, at: RedisTime | null): LockGroup | undefined {
  const filter = useMemo(() => ({ ...ALL_EVENTS, group: id }), [id]);
  const { data } = useRememberedEvents(filter, MOST_ASKED);
  const live = useLive((state) => state.events);
  return useMemo(() => {
    const events = mergeEvents(data?.events ?? [], live, eventMatcher(filter));
    return groupFromEvents(at === null ? events : events.filter((event) => event.at <= at), id);
  }, [data, live, filter, id, at]);
}
