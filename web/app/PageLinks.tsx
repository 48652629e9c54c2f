import { useCursor } from '../cursor/cursor.ts';
import { eventsNow, overviewNow, timelineNow } from '../cursor/routes-now.ts';
import { useSelection } from '../cursor/selection.ts';
import { keyOf } from '../keys/key-map.ts';
import type { Route } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** Links to the pages. All of them except the demo keep cursor and selection. */
export function PageLinks({ here, isDemo }: { here: Route['page']; isDemo: boolean }) {
  const { frame, keys } = useWords();
  useCursor();
  useSelection();
  const pages = [
    { page: 'overview', to: overviewNow() },
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
