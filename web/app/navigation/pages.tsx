import { type ComponentType, type ReactNode, Suspense } from 'react';
import {
  clientsNow,
  eventsNow,
  graphNow,
  momentNow,
  overviewNow,
  timelineNow,
  waitsNow,
} from '../../cursor/routes-now.ts';
import type { KeyRow } from '../../keys/key-map.ts';
import { NotFoundPage } from '../../pages/NotFoundPage.tsx';
import { OverviewPage } from '../../pages/OverviewPage.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { EmptyState } from '../../ui/Notice.tsx';
import type { LockRoute, Route } from '../../url/route.ts';
import { useWords } from '../../words/language.ts';

export type PageName = Route['page'];

/**
 * What the frame knows about one page. Its path is in `web/url/route.ts`, its name in `web/words/*` under `frame.page`.
 */
type PageRow<P extends PageName = PageName> = {
  show(route: Extract<Route, { page: P }>): ReactNode;
  /** The digit that opens the page. */
  readonly key?: string;
  /** The route that the key and the link of the page lead to now. `lastLock`: the lock page that was shown last. */
  readonly open?: (lastLock: LockRoute | null) => Route;
  /** The page has a link in the header. */
  readonly isLinked?: true;
  /** The page of which this page is a tab. Its link in the header is marked as current. */
  readonly tabOf?: PageName;
  /** The page exists only in the demo. */
  readonly isDemoOnly?: true;
  /** Its table, or its timeline, fills the window. */
  readonly isFilling?: true;
  /** It shows `SourceHints`, for example that MONITOR is off. */
  readonly hasHints?: true;
};

/** Every page, in the order of the links. */
const PAGES: { readonly [P in PageName]: PageRow<P> } = {
  overview: {
    show: (route) => <OverviewPage route={route} />,
    key: '1',
    open: () => overviewNow(),
    isLinked: true,
    isFilling: true,
    hasHints: true,
  },
  timeline: {
    show: (route) => <TimelinePage route={route} />,
    key: '2',
    open: timelineNow,
    isLinked: true,
    isFilling: true,
    hasHints: true,
  },
  graph: {
    show: (route) => <GraphPage route={route} />,
    key: '3',
    open: () => graphNow(),
    isLinked: true,
    hasHints: true,
  },
  clients: {
    show: (route) => <ClientsPage route={route} />,
    key: '4',
    open: () => clientsNow(),
    isLinked: true,
    hasHints: true,
  },
  events: {
    show: (route) => <EventsPage route={route} />,
    key: '5',
    open: () => eventsNow(),
    isLinked: true,
    isFilling: true,
  },
  recordings: {
    show: () => <RecordingsPage />,
    key: '6',
    open: () => ({ page: 'recordings' }),
    isLinked: true,
  },
  doctor: {
    show: (route) => <HealthPage source={route.source} />,
    key: '7',
    open: () => ({ page: 'doctor', source: null }),
    isLinked: true,
  },
  demo: {
    show: () => <DemoPage />,
    key: '8',
    open: () => ({ page: 'demo' }),
    isLinked: true,
    isDemoOnly: true,
  },
  waits: {
    show: (route) => <WaitsPage route={route} />,
    key: '9',
    open: () => waitsNow(),
    tabOf: 'graph',
    hasHints: true,
  },
  lock: {
    show: (route) => <LockPage route={route} />,
    key: '0',
    // without a last lock, the overview lets the user choose one
    open: (lastLock) => (lastLock ? { ...lastLock, ...momentNow() } : overviewNow()),
    hasHints: true,
  },
  // only the viewer of a fleet has this page; `PageLinks` links to it, from the pages of every source too
  fleet: { show: (route) => <FleetPage q={route.q} /> },
  'incident-help': { show: (route) => <HelpPage incident={route.incident} /> },
  'not-found': { show: (route) => <NotFoundPage path={route.path} /> },
};

const TimelinePage = lazyPage(() => import('../../pages/TimelinePage.tsx'));
const LockPage = lazyPage(() => import('../../pages/LockPage.tsx'));
const EventsPage = lazyPage(() => import('../../pages/EventsPage.tsx'));
const GraphPage = lazyPage(() => import('../../pages/GraphPage.tsx'));
const WaitsPage = lazyPage(() => import('../../pages/WaitsPage.tsx'));
const ClientsPage = lazyPage(() => import('../../pages/ClientsPage.tsx'));
const RecordingsPage = lazyPage(() => import('../../pages/RecordingsPage.tsx'));
const HelpPage = lazyPage(() => import('../../pages/HelpPage.tsx'));
const FleetPage = lazyPage(() => import('../../pages/FleetPage.tsx'));
const HealthPage = lazyPage(() => import('../../pages/HealthPage.tsx'));
const DemoPage = lazyPage(() => import('../../pages/DemoPage.tsx'));

/** A page that is loaded when opened: most visits begin with the overview, which does not wait for the others. */
function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Page = lazyPart(load);
  return function LazyPage(props: Props) {
    return (
      <Suspense fallback={<OpeningPage />}>
        <Page {...props} />
      </Suspense>
    );
  };
}

function OpeningPage() {
  return <EmptyState title={useWords().frame.openingPage} />;
}

/** The row of a page, for code that treats all pages alike. */
export function pageRow(page: PageName): PageRow {
  // each row gets only routes of its own page: the route names the row
  return PAGES[page] as PageRow;
}

export type PageKey = KeyRow & { readonly id: PageName };

// the keys of the object are the names of the pages
const NAMES = Object.keys(PAGES) as PageName[];

/** The pages with a link in the header. */
export const LINKED_PAGES = NAMES.filter((page) => pageRow(page).isLinked);

/** The key of each page that has one. A digit is matched by its character, or by its place on the keyboard. */
export const PAGE_KEYS: readonly PageKey[] = NAMES.flatMap((id) => {
  const { key } = pageRow(id);
  return key === undefined ? [] : [{ id, chars: [key], codes: [`Digit${key}`], keys: [key] }];
});
