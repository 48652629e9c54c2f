import { useMemo } from 'react';
import type { RedisTime } from '../../../shared/base/time.ts';
import { groupFromEvents, type LockGroup } from '../../../shared/spans/group-from-events.ts';
import { ALL_EVENTS } from './event-list.ts';
import { useListedEvents } from './listed-events.ts';

/** Maximum number of events read for one group. A group has a few events per lock, and renewals. */
const MOST_ASKED = 2000;

/** Returns a multi lock or RedLock at an instant, or now, from the server's memory and live events. */
export function useGroup(id: string, at: RedisTime | null): LockGroup | undefined {
  const filter = useMemo(() => ({ ...ALL_EVENTS, group: id }), [id]);
  const { events } = useListedEvents(filter, null, MOST_ASKED);
  return useMemo(
    () => groupFromEvents(at === null ? events : events.filter((event) => event.at <= at), id),
    [events, id, at],
  );
}
