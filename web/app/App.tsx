import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { openRecordingOf } from '../data/open-recording.ts';
import { useLive } from '../data/use-live.ts';
import { DemoPage } from '../pages/DemoPage.tsx';
import { EventsPage } from '../pages/EventsPage.tsx';
import { LockPage } from '../pages/LockPage.tsx';
import { NotFoundPage } from '../pages/NotFoundPage.tsx';
import { OverviewPage } from '../pages/OverviewPage.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { setOrigin } from '../url/origin.ts';
import type { Route } from '../url/route.ts';
import { useRoute } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { ActorLettersProvider } from './ActorLettersProvider.tsx';
import { Frame } from './Frame.tsx';
import { useConnection } from './use-connection.ts';

/** Loaded when opened: the first page needs nothing of it. */
const TimelinePage = lazyPart(() => import('../pages/TimelinePage.tsx'));

/** The whole product: connection, frame, and the page the URL names. */
export function App() {
  const problem = useConnection();
  useLinkOrigin();
  const route = useRoute();
  const place = placeOf(route);
  const { common } = useWords();
  useArrival(place);
  return (
    <ActorLettersProvider>
      <Frame route={route} problem={problem}>
        <ErrorBoundary key={place} what={common.thisPage}>
          {pageOf(route)}
        </ErrorBoundary>
      </Frame>
    </ActorLettersProvider>
  );
}

function pageOf(route: Route): ReactNode {
  switch (route.page) {
    case 'overview':
      return <OverviewPage route={route} />;
    case 'timeline':
      return (
        <Suspense fallback={<OpeningTimeline />}>
          <TimelinePage route={route} />
        </Suspense>
      );
    case 'lock':
      return <LockPage route={route} />;
    case 'events':
      return <EventsPage route={route} />;
    case 'demo':
      return <DemoPage />;
    case 'not-found':
      return <NotFoundPage path={route.path} />;
  }
}

function OpeningTimeline() {
  return <EmptyState title={useWords().frame.openingTimeline} />;
}

/** What makes two routes different pages: filters and selections do not. */
function placeOf(route: Route): string {
  return route.page === 'lock' ? `lock ${JSON.stringify([route.pointer, route.source, route.db])}` : route.page;
}

/** In an opened recording the times of links count from its beginning. */
function useLinkOrigin(): void {
  const name = useLive((state) => openRecordingOf(state.sources)?.name ?? null);
  const startedAt = useLive((state) => openRecordingOf(state.sources)?.startedAt ?? 0);
  const endsAt = useLive((state) => openRecordingOf(state.sources)?.endsAt ?? 0);
  useEffect(() => setOrigin(name === null ? null : { name, startedAt, endsAt }), [name, startedAt, endsAt]);
}

/** On another page the reader begins at its top, and so does the focus. */
function useArrival(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [place]);
}
