import { useEffect } from 'react';
import { useCursor } from '../../cursor/cursor.ts';
import { useSelection } from '../../cursor/selection.ts';
import { FLEET_PATH, isFleetHome } from '../../url/base-path.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import { isElsewhere } from './elsewhere.ts';
import { LINKED_PAGES, type PageName, pageRow } from './pages.tsx';

/** Links to the pages. Links to pages that show an instant have the current cursor and selection. */
export function PageLinks({ shown, isDemo }: { shown: PageName; isDemo: boolean }) {
  const { common, frame } = useWords();
  useCursor();
  useSelection();
  const current = pageRow(shown).tabOf ?? shown;
  useEffect(() => {
    // on a narrow screen the links scroll sideways
    const link = document.querySelector<HTMLElement>(`.frame-head nav [data-page="${current}"]`);
    const nav = link?.parentElement;
    if (link && nav) nav.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - nav.clientWidth / 2;
  }, [current]);
  const links = LINKED_PAGES.map((page) => {
    const { open, key = '', isDemoOnly } = pageRow(page);
    if (!open || (isDemoOnly && !isDemo) || isElsewhere(page)) return null;
    return (
      <Link
        key={page}
        data-page={page}
        to={open(null)}
        aria-current={current === page ? 'page' : undefined}
        title={common.withKey(frame.page[page], key)}
      >
        {frame.page[page]}
      </Link>
    );
  });
  if (FLEET_PATH === undefined) return links;
  return [
    <a key="fleet" data-page="fleet" href={`${FLEET_PATH}/fleet`} aria-current={isFleetHome ? 'page' : undefined}>
      {frame.page.fleet}
    </a>,
    ...links,
  ];
}
