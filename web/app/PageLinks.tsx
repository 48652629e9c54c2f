import { useCursor } from '../cursor/cursor.ts';
import { eventsNow, timelineNow } from '../cursor/routes-now.ts';
import { useSelection } from '../cursor/selection.ts';
import { OVERVIEW, type Route } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { keyOf } from './key-map.ts';

/** The pages. Timeline and events take cursor and selection with them; the overview is always of now. */
export function PageLinks({ here, isDemo }: { here: Route['page']; isDemo: boolean }) {
  const { frame, keys } = useWords();
  useCursor();
  useSelection();
  const pages = [
    { page: 'overview', to: OVERVIEW },
    { page: 'timeline', to: timelineNow() },
    { page: 'events', to: eventsNow() },
    ...(isDemo ? [{ page: 'demo', to: { page: 'demo' } } as const] : []),
  ] as const;
  return pages.map(({ page, to }) => (
    <Link
      key={page}
      to={to}
      aria-current={here === page ? 'page' : undefined}
      title={keys.withKey(frame.page[page], keyOf(`page-${page}`))}
    >
      {frame.page[page]}
    </Link>
  ));
}
