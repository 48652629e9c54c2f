import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { useLiveStore } from '../data/live/use-live.ts';
import { ALL_EVENTS, type EventFilter, isOpenFilter } from '../data/queries/event-list.ts';
import { EventKindFilter } from '../events/EventKindFilter.tsx';
import { EventList } from '../events/EventList.tsx';
import { FilterField } from '../events/FilterField.tsx';
import { useRangeLimits } from '../range/use-range-limits.ts';
import { EVENTS, type EventsRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** How many names a filter field suggests at most. */
const MOST_OFFERED = 200;
/** Longer names of locks, in UTF-16 units, are not suggested. */
const LONGEST_OFFERED = 200;

/** All events in order, with filters. */
export default function EventsPage({ route }: { route: EventsRoute }) {
  const { common, eventList, groups } = useWords();
  useMomentLink(route);
  const store = useLiveStore();
  const { lock, lockPart, type, topic, holder, holderPart, group } = route;
  const limits = useRangeLimits();
  const filter: EventFilter = { ...ALL_EVENTS, lock, lockPart, type, topic, holder, holderPart, group, ...limits };
  const change = (part: Partial<EventsRoute>) => navigate({ ...route, selected: null, ...part }, { replace: true });
  const offered = () => offeredNames(store.get().locks.values());

  return (
    <div className="page is-filling">
      <header className="page-head">
        <h1 tabIndex={-1}>{eventList.title}</h1>
        <search className="filters">
          <FilterField
            label={lock === '' ? eventList.filter.lockPart : eventList.filter.lock}
            value={lock || lockPart}
            options={() => offered().locks}
            onType={(lockPart) => change({ lockPart, lock: '' })}
            onChoose={(lock) => change({ lock, lockPart: '' })}
          />
          <EventKindFilter type={type} topic={topic} onChange={change} />
          <FilterField
            label={holder === '' ? eventList.filter.holderPart : eventList.filter.holder}
            value={holder || holderPart}
            options={() => offered().holders}
            onType={(holderPart) => change({ holderPart, holder: '' })}
            onChoose={(holder) => change({ holder, holderPart: '' })}
          />
          {group !== '' && (
            <FilterField
              label={groups.filter}
              value={group}
              options={() => []}
              onType={(group) => change({ group })}
              onChoose={(group) => change({ group })}
            />
          )}
          {!isOpenFilter(filter) && (
            <button type="button" className="button is-small" onClick={() => navigate(EVENTS)}>
              {common.clearFilter}
            </button>
          )}
        </search>
      </header>
      <LinkNotices route={route} />
      <div className="panel is-filling">
        <EventList
          filter={filter}
          selected={route.selected}
          onMoment={(moment) => navigate({ ...route, ...moment }, { replace: moment.selected === null })}
          onClearFilter={() => navigate({ ...EVENTS, at: route.at })}
        />
      </div>
      {/* below the list: a banner above the list would move the clicked row away from the pointer */}
      <AsOfBanner />
    </div>
  );
}

function offeredNames(locks: Iterable<{ name: string; holders: { id: string }[]; waiters: { id: string }[] }>) {
  const names = new Set<string>();
  const holders = new Set<string>();
  for (const lock of locks) {
    if (names.size >= MOST_OFFERED) break;
    if (lock.name.length <= LONGEST_OFFERED) names.add(lock.name);
    for (const { id } of [...lock.holders, ...lock.waiters]) if (holders.size < MOST_OFFERED) holders.add(id);
  }
  return { locks: [...names].sort(), holders: [...holders].sort() };
}
