import { type ComponentType, lazy, useContext } from 'react';
import { Tries } from './ErrorBoundary.tsx';

/**
 * A part of the page loaded when first shown. If the load fails, the `ErrorBoundary` around it says so, and its "try again"
 * loads it again. React renders a second time by itself before it gives up, which must find the same failure, or it would
 * load for ever.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let shownIn = 0;
  let failedIn: number | null = null;
  const loadOnce = () =>
    load().catch((error: unknown) => {
      failedIn = shownIn;
      throw error;
    });
  let Part = lazy(loadOnce);
  return function LazyPart(props: Props) {
    const tries = useContext(Tries);
    if (failedIn !== null && failedIn !== tries) {
      Part = lazy(loadOnce);
      failedIn = null;
    }
    shownIn = tries;
    return <Part {...props} />;
  };
}
