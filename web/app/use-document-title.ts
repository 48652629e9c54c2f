import { useEffect } from 'react';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import type { Route } from '../url/route.ts';
import { useWords } from '../words/language.ts';

const LONGEST = 60;

/**
 * Sets the title of the window to the name of the page, or of the lock that it shows. If there are problems, their
 * number comes before the name, and the icon has a red dot. Number and dot are visible while another window is in
 * front.
 */
export function useDocumentTitle(route: Route, problems: number): void {
  const { frame } = useWords();
  const name = route.page === 'lock' && 'name' in route.pointer ? route.pointer.name : null;
  const page = name === null ? frame.page[route.page] : cutInMiddle(visibleText(name), LONGEST);
  const title = problems > 0 ? `(${problems}) ${frame.title(page)}` : frame.title(page);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const icon = problems > 0 ? 'favicon-problem.svg' : 'favicon.svg';
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) link.href = link.href.replace(/[^/]+$/, icon);
  }, [icon]);
}
