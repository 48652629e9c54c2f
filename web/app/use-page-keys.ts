import { type RefObject, useEffect, useRef } from 'react';
import { eventsNow, momentNow, overviewNow, timelineNow } from '../cursor/routes-now.ts';
import type { LockRoute, Route } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { actionFromKey } from './key-map.ts';

/** A dialog of the frame. */
export type FrameDialog = 'help' | 'settings';

type PageKeys = {
  readonly route: Route;
  readonly isDemo: boolean;
  readonly find: RefObject<HTMLInputElement | null>;
  readonly onDialog: (change: (open: FrameDialog | null) => FrameDialog | null) => void;
};

/** Binds the keys that act on every page. */
export function usePageKeys({ route, isDemo, find, onDialog }: PageKeys): void {
  const lastLock = useLastLock(route);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = actionFromKey(event);
      if (action === null || (action === 'page-demo' && !isDemo)) return;
      event.preventDefault();
      switch (action) {
        case 'find':
          return find.current?.focus();
        case 'help':
        case 'settings':
          return onDialog((open) => (open === action ? null : action));
        case 'page-overview':
          return navigate(overviewNow());
        case 'page-timeline':
          return navigate(timelineNow());
        case 'page-lock':
          return navigate(lastLock.current ? { ...lastLock.current, ...momentNow() } : overviewNow()); // where a lock can be chosen
        case 'page-events':
          return navigate(eventsNow());
        case 'page-demo':
          return navigate({ page: 'demo' });
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isDemo, find, onDialog, lastLock]);
}

function useLastLock(route: Route): RefObject<LockRoute | null> {
  const last = useRef<LockRoute | null>(null);
  if (route.page === 'lock') last.current = route;
  return last;
}
