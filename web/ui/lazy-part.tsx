import { type ComponentType, lazy, useContext } from 'react';
import { loadAllWords } from '../words/language.ts';
import { NotLoaded, Tries } from './ErrorBoundary.tsx';

/** A connection may be cut just as a part is loaded: the part is loaded again after this time. */
const SECOND_TRY_MS = 500;

/**
 * A part of the page that is loaded when first shown, with all words. If loading fails twice, the `ErrorBoundary`
 * around it shows the error, and its "try again" loads it again. React itself renders a second time before it gives up;
 * that render must meet the same failure, or it would load forever.
 */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let shownIn = 0;
  let failedIn: number | null = null;
  const loadOnce = () =>
    Promise.all([loadTwice(load), loadAllWords()]).then(
      ([part]) => part,
      (error: unknown) => {
        failedIn = shownIn;
        throw new NotLoaded(error);
      },
    );
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

/** Loads, and if that fails, loads again after a pause. Rejects with the second failure. */
function loadTwice<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, SECOND_TRY_MS));
    return load();
  });
}
