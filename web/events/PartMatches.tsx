import { useQuery } from '@tanstack/react-query';
import type { eventsBody } from '../../shared/wire/http.ts';
import { whoseEvent } from '../../shared/wire/locks/name-parts.ts';
import { eventsNow } from '../cursor/routes-now.ts';
import { getJson } from '../data/http/http.ts';
import type { EventFilter } from '../data/queries/event-list.ts';
import { queryFromFilter } from '../data/queries/queries.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

const MOST_READ = 500;

/**
 * Shown if no event matches the whole name of a lock or holder: how many locks and holders have the name as a part of
 * theirs, with a link to their events. Renders nothing if the filter has no whole name, or if no part matches either.
 */
export function PartMatches({ filter }: { filter: EventFilter }) {
  const { eventList } = useWords();
  const parts = { lockPart: filter.lock || filter.lockPart, holderPart: filter.holder || filter.holderPart };
  const query = queryFromFilter({ ...filter, lock: '', holder: '', ...parts }, MOST_READ);
  const { data } = useQuery({
    queryKey: ['part-matches', query],
    queryFn: ({ signal }) => getJson<typeof eventsBody>(`/api/events?${query}`, signal),
    enabled: filter.lock !== '' || filter.holder !== '',
    retry: false,
    gcTime: 1000,
  });
  if (!data || data.events.length === 0) return null;
  const locks = new Set(data.events.map(({ lock }) => lock)).size;
  const holders = new Set(data.events.flatMap((event) => whoseEvent(event) ?? [])).size;
  return (
    <p>
      {eventList.partMatches(locks, holders, data.isCut === true)}{' '}
      <Link to={{ ...eventsNow(), type: filter.type, topic: filter.topic, group: filter.group, ...parts }}>
        {eventList.showParts}
      </Link>
    </p>
  );
}
