import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EVENT_TYPES } from '../../../shared/events/event.ts';
import type { locksBody } from '../../../shared/wire/http.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { theme } from '../../choices/theme.ts';
import { followNow } from '../../cursor/cursor.ts';
import { eventsNow, lockNow, overviewNow } from '../../cursor/routes-now.ts';
import { getJson } from '../../data/http/http.ts';
import { useIsOpenRecording, useLive, useLiveStore } from '../../data/live/use-live.ts';
import { useDemoCommand, useScenarios } from '../../data/queries/demo-queries.ts';
import { openDumps } from '../../data/queries/dump-work.ts';
import { saveNow } from '../../data/queries/recording-work.ts';
import { useSettled } from '../../data/queries/use-settled.ts';
import { titleOf } from '../../demo/scenario-text.ts';
import { FLEET_PATH } from '../../url/base-path.ts';
import { EVENTS } from '../../url/route.ts';
import { navigate } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { isElsewhere } from '../navigation/elsewhere.ts';
import { LINKED_PAGES, pageRow } from '../navigation/pages.tsx';
import type { FrameDialog } from '../navigation/use-page-keys.ts';
import { findThings } from './find-things.ts';
import { bestMatches, rankOf } from './rank.ts';

export type FindGroup = 'locks' | 'people' | 'events' | 'scenarios' | 'actions' | 'search';

/** One entry of the list below the search field. */
export type FindOption = {
  readonly key: string;
  readonly group: FindGroup;
  readonly text: string;
  /** Shown beside the text, for example the state of a lock. */
  readonly note?: string;
  readonly choose: () => void;
};

const MOST = { events: 3, scenarios: 4, actions: 4 } as const;
const ASK_EVERY_MS = 300;

type Around = { readonly isDemo: boolean; readonly onDialog: (dialog: FrameDialog) => void };

/**
 * Returns the entries for a text: locks, clients, holders, event types, scenarios, actions, and searches for the text.
 * Returns none while the list is closed.
 */
export function useFindOptions(text: string, isOpen: boolean, around: Around): readonly FindOption[] {
  const { found, more } = useFound(text, isOpen);
  const rest = useRest(text, around);
  const searches = useSearches(text, more);
  return isOpen ? [...found, ...rest, ...searches] : [];
}

/**
 * Locks, holders and clients that this page has loaded, and locks that only the server knows. The search runs when the
 * text changes or the server answers, not with each event: an entry must not move while the user presses Enter.
 */
function useFound(text: string, isOpen: boolean): { found: FindOption[]; more: string | undefined } {
  const { find, lock: words } = useWords();
  const store = useLiveStore();
  const isMissing = useLive((state) => state.unloaded > 0);
  const onServer = useLocksOnServer(text, isOpen && isMissing);
  const { locks, holders, clients } = useMemo(
    () => findThings(isOpen ? withMore(store.get().locks, onServer) : [], text),
    [store, isOpen, onServer, text],
  );
  // the list does not change, but its entries show whether a lock is held, which may change
  useLive((state) => locks.best.map(({ id }) => state.locks.get(id)?.held).join());
  const found = [
    ...locks.best.map(
      (lock): FindOption => ({
        key: `lock ${lock.id}`,
        group: 'locks',
        text: lock.name,
        note: (store.get().locks.get(lock.id) ?? lock).held ? words.held : words.free,
        choose: () => navigate(lockNow(lock)),
      }),
    ),
    ...clients.best.map(
      ({ client, text, locks }): FindOption => ({
        key: `client ${client}`,
        group: 'people',
        text,
        note: find.client(locks, isMissing),
        choose: () => navigate(overviewNow(client)),
      }),
    ),
    ...holders.best.map(
      ({ id, text, locks }): FindOption => ({
        key: `holder ${id}`,
        group: 'people',
        text,
        note: find.thread(locks, isMissing),
        choose: () => navigate(overviewNow(id)),
      }),
    ),
  ];
  return { found, more: locks.more > 0 ? find.more(locks.more, isMissing) : undefined };
}

function* withMore(live: ReadonlyMap<string, Lock>, onServer: readonly Lock[]): Generator<Lock> {
  yield* live.values();
  for (const lock of onServer) if (!live.has(lock.id)) yield lock;
}

const NO_LOCKS: readonly Lock[] = [];

/** Up to 20 locks that match on the server, which is asked only if `isAsked` is true and the text is not empty. */
function useLocksOnServer(text: string, isAsked: boolean): readonly Lock[] {
  const q = useSettled(text.trim(), ASK_EVERY_MS);
  const { data } = useQuery({
    queryKey: ['find-locks', q],
    queryFn: ({ signal }) => getJson<typeof locksBody>(`/api/locks?limit=20&q=${encodeURIComponent(q)}`, signal),
    enabled: isAsked && q !== '',
    retry: false,
    gcTime: 10_000,
  });
  return data?.locks ?? NO_LOCKS;
}

/** Types of events, scenarios of the demo, and actions. */
function useRest(text: string, { isDemo, onDialog }: Around): FindOption[] {
  const { dumps, events, find, frame, recordings, settings, stage } = useWords();
  const isRecording = useIsOpenRecording();
  const scenarios = useScenarios(isDemo).data?.scenarios ?? [];
  const command = useDemoCommand();
  const wanted = text.trim().toLowerCase();
  const matching = (options: FindOption[], most: number) =>
    bestMatches(options, ({ text }) => (wanted === '' ? 0 : rankOf(text, wanted)), most).best;

  const types = EVENT_TYPES.map(
    (type): FindOption => ({
      key: `type ${type}`,
      group: 'events',
      text: events.type[type],
      choose: () => navigate({ ...EVENTS, type }),
    }),
  );
  const plays = scenarios.map(
    (scenario): FindOption => ({
      key: `scenario ${scenario.id}`,
      group: 'scenarios',
      text: titleOf(scenario, stage),
      note: find.play,
      choose: () => {
        command.mutate({ do: 'start-scenario', id: scenario.id });
        navigate({ page: 'demo' });
      },
    }),
  );
  const action = (key: string, text: string, choose: () => void): FindOption => ({
    ...{ key: `action ${key}`, group: 'actions', text, choose },
  });
  const pages = LINKED_PAGES.flatMap((page) => {
    const { open, isDemoOnly } = pageRow(page);
    if (!open || (isDemoOnly && !isDemo) || isElsewhere(page)) return [];
    return action(page, find.goTo(frame.page[page]), () => navigate(open(null)));
  });
  const actions = [
    ...pages,
    ...(isRecording || FLEET_PATH !== undefined ? [] : [action('save', recordings.save, () => void saveNow())]),
    ...(isRecording ? [] : [action('dumps', dumps.title, openDumps)]),
    action('live', find.goLive, followNow),
    ...theme.values.map((value) => action(`theme ${value}`, frame.themes[value], () => theme.choose(value))),
    action('level', find.level, () => onDialog('settings')),
    action('settings', settings.title, () => onDialog('settings')),
    action('help', frame.help, () => onDialog('help')),
  ];
  return [
    ...(wanted === '' ? [] : matching(types, MOST.events)),
    ...(wanted === '' ? [] : matching(plays, MOST.scenarios)),
    ...matching(actions, MOST.actions),
  ];
}

/** Entries that search for the text itself, in everything that the server's memory has. */
function useSearches(text: string, more: string | undefined): FindOption[] {
  const { find } = useWords();
  const wanted = text.trim();
  if (wanted === '') return [];
  const search = (key: string, texts: string, choose: () => void): FindOption => ({
    ...{ key: `search ${key}`, group: 'search', text: texts, choose },
  });
  return [
    {
      ...search('locks', find.allLocks(wanted), () => navigate(overviewNow(wanted))),
      ...(more === undefined ? {} : { note: more }),
    },
    search('lock-events', find.eventsOfLocks(wanted), () => navigate({ ...eventsNow(), lockPart: wanted })),
    search('holder-events', find.eventsOfHolders(wanted), () => navigate({ ...eventsNow(), holderPart: wanted })),
  ];
}
