import { type RefObject, useEffect, useRef } from 'react';
import { KEY_MAP, rowFromKey } from '../../keys/key-map.ts';
import type { LockRoute, Route } from '../../url/route.ts';
import { navigate } from '../../url/router.tsx';
import { isElsewhere } from './elsewhere.ts';
import { PAGE_KEYS, type PageKey, pageRow } from './pages.tsx';

/** A dialog of the frame. */
export type FrameDialog = 'help' | 'settings';

type PageKeys = {
  readonly route: Route;
  readonly isDemo: boolean;
  readonly find: RefObject<HTMLInputElement | null>;
  readonly onSave: () => void;
  readonly onDialog: (change: (open: FrameDialog | null) => FrameDialog | null) => void;
};

/** Handles the keys that work on every page. */
export function usePageKeys({ route, isDemo, find, onSave, onDialog }: PageKeys): void {
  const lastLock = useLastLock(route);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const row = rowFromKey<PageKey | (typeof KEY_MAP)[number]>(event, [...KEY_MAP, ...PAGE_KEYS]);
      if (row === null) return;
      if (row.id === 'save') {
        event.preventDefault();
        if (!event.repeat) onSave();
        return;
      }
      if (row.id === 'find' || row.id === 'help' || row.id === 'settings') {
        event.preventDefault();
        if (row.id === 'find') find.current?.select();
        else onDialog((open) => (open === row.id ? null : row.id));
        return;
      }
      const { open, isDemoOnly } = pageRow(row.id);
      if (!open || (isDemoOnly && !isDemo) || isElsewhere(row.id)) return;
      event.preventDefault();
      navigate(open(lastLock.current));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isDemo, find, onSave, onDialog, lastLock]);
}

function useLastLock(route: Route): RefObject<LockRoute | null> {
  const last = useRef<LockRoute | null>(null);
  if (route.page === 'lock') last.current = route;
  return last;
}
