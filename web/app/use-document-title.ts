import { useEffect } from 'react';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import type { Route } from '../url/route.ts';
import { useWords } from '../words/language.ts';

const LONGEST = 60;

/** Sets the title of the window to the name of the page, or of the lock it shows. */
export function useDocumentTitle(route: Route): void {
  const { frame } = useWords();
  const name = route.page === 'lock' && 'name' in route.pointer ? route.pointer.name : null;
  const page = name === null ? frame.page[route.page] : cutInMiddle(visibleText(name), LONGEST);
  const title = frame.title(page);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
