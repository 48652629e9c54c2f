import { type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react';
import { openRecordingOf } from '../data/live/open-recording.ts';
import { useLive, useLiveStore } from '../data/live/use-live.ts';
import { useDemo } from '../data/queries/demo-queries.ts';
import { useHealthFeedsStore, useIsDemo } from '../data/queries/queries.ts';
import { GivenLetters } from '../parts/people.ts';
import { PictureMaker, type PictureRequest } from '../share/picture-maker.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { isFleetHome } from '../url/base-path.ts';
import { setOrigin } from '../url/origin.ts';
import type { Route } from '../url/route.ts';
import { hrefFromRoute } from '../url/route-link.ts';
import { useRoute } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { Frame } from './Frame.tsx';
import { isElsewhere } from './navigation/elsewhere.ts';
import { pageRow } from './navigation/pages.tsx';
import { useConnection } from './use-connection.ts';

/** The root of the page: the connection, the frame, and the page that the URL names. */
export function App() {
  const problem = useConnection();
  useLinkOrigin();
  const route = shownRoute(useRoute());
  const place = placeOf(route);
  const { common } = useWords();
  useArrival(place);
  return (
    <ActorLettersProvider>
      <HealthFeed />
      <PictureProvider>
        <Frame route={route} problem={problem}>
          <ErrorBoundary key={place} what={common.thisPage}>
            {pageRow(route.page).show(route)}
          </ErrorBoundary>
        </Frame>
      </PictureProvider>
    </ActorLettersProvider>
  );
}

/**
 * The route that is shown for a route of the address: the fleet instead of the overview on a viewer's first page, and
 * "not found" instead of a page that this part of the site lacks.
 */
function shownRoute(route: Route): Route {
  if (isFleetHome && route.page === 'overview') return { page: 'fleet', q: route.q };
  return isElsewhere(route.page) ? { page: 'not-found', path: hrefFromRoute(route) } : route;
}

/** Renders nothing. A separate component, so that a new answer about health does not render the whole page again. */
function HealthFeed() {
  useHealthFeedsStore();
  return null;
}

/** Identifies the page of a route: each lock has a page of its own. Filters and selection make no difference. */
function placeOf(route: Route): string {
  return route.page === 'lock' ? `lock ${JSON.stringify([route.pointer, route.source, route.db])}` : route.page;
}

/** Sets what times in links count from: the start of the opened recording, or the epoch while live. */
function useLinkOrigin(): void {
  const name = useLive((state) => openRecordingOf(state.sources)?.name ?? null);
  const startedAt = useLive((state) => openRecordingOf(state.sources)?.startedAt ?? 0);
  const endsAt = useLive((state) => openRecordingOf(state.sources)?.endsAt ?? 0);
  useEffect(() => setOrigin(name === null ? null : { name, startedAt, endsAt }), [name, startedAt, endsAt]);
}

/** After a change of page, scrolls to the top and focuses the heading. */
function useArrival(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    window.scrollTo(0, 0);
    if (focusHeading()) return;
    // the page is still being loaded
    const arrival = new MutationObserver(() => focusHeading() && arrival.disconnect());
    arrival.observe(document.body, { childList: true, subtree: true });
    return () => arrival.disconnect();
  }, [place]);
}

/** Focuses the heading of the page. Returns whether the page has one. */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/** Lets every page draw the timeline of a lock. The code that draws is loaded when a picture is requested. */
function PictureProvider({ children }: { children: ReactNode }) {
  const live = useLiveStore();
  const given = useContext(GivenLetters);
  const make = useCallback(
    async (request: PictureRequest) => {
      const { pictureOfLock } = await import('../timeline/picture/picture-of-lock.ts');
      return pictureOfLock(live, request, given);
    },
    [live, given],
  );
  return <PictureMaker value={make}>{children}</PictureMaker>;
}

/** Assigns the stage's letters to the threads of the demo clients: `A`, and `A2` for a client's second thread. */
function ActorLettersProvider({ children }: { children: ReactNode }) {
  const isDemo = useIsDemo();
  const clients = useDemo(isDemo).data?.clients;
  const ids = JSON.stringify(clients?.map(({ id, threads }) => [id, threads.map((thread) => thread.holder)]) ?? []);
  const letters = useMemo(() => {
    const given = new Map<string, string>();
    for (const [id, holders] of JSON.parse(ids) as [string, string[]][]) {
      holders.forEach((holder, index) => {
        given.set(holder, index === 0 ? id : `${id}${index + 1}`);
      });
    }
    return given;
  }, [ids]);
  return <GivenLetters value={letters}>{children}</GivenLetters>;
}
