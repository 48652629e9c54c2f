import type { Virtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';

type RowKeys = {
  /** Index of the row that Tab focuses. */
  tabStop: number;
  /** A click anywhere on a row clicks its focusable element, except on parts marked `data-row-quiet`. */
  onClick: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent) => void;
};

/** Handles arrow keys, Page Up, Page Down, Home and End in a table that renders only its visible rows. */
export function useRowKeys(
  virtualizer: Virtualizer<HTMLDivElement, HTMLTableRowElement>,
  { count, scroller, isMain }: { count: number; scroller: RefObject<HTMLElement | null>; isMain: boolean },
): RowKeys {
  const [wanted, setWanted] = useState(0);
  const inSight = virtualizer.getVirtualItems();
  const first = inSight[0]?.index ?? 0;
  const last = inSight.at(-1)?.index ?? 0;
  const tabStop = Math.min(last, Math.max(first, wanted));

  const focusRow = (index: number) => {
    setWanted(index);
    virtualizer.scrollToIndex(index, { align: 'auto' });
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector(`[data-index="${index}"] [data-row-focus]`);
      if (row instanceof HTMLElement) row.focus({ preventScroll: true });
    });
  };

  const enter = useRef(() => {});
  enter.current = () => focusRow(tabStop);
  useEffect(() => {
    if (!isMain) return;
    const onArrow = (event: globalThis.KeyboardEvent) => {
      if (!isEntering(event)) return;
      event.preventDefault();
      enter.current();
    };
    window.addEventListener('keydown', onArrow);
    return () => window.removeEventListener('keydown', onArrow);
  }, [isMain]);

  return {
    tabStop,
    onFocus: (event) => {
      const index = rowIndexOf(event.target);
      if (index !== null) setWanted(index);
    },
    onClick: (event) => {
      const target = event.target as Element; // the target of a click is always an element
      const isSelectingText = (window.getSelection()?.toString() ?? '') !== '';
      if (isSelectingText || target.closest('button, a, input, [data-row-quiet]')) return;
      const main = target.closest('[data-index]')?.querySelector('[data-row-focus]');
      if (main instanceof HTMLElement) main.click();
    },
    onKeyDown: (event) => {
      const isOnRow = event.target instanceof HTMLElement && event.target.hasAttribute('data-row-focus');
      const from = rowIndexOf(event.target);
      const to = isOnRow && from !== null ? targetOf(event.key, from, count, last - first) : null;
      if (to === null) return;
      event.preventDefault();
      focusRow(to);
    },
  };
}

/** Elements that use the arrow keys themselves. */
const USES_ARROWS = 'table, input, textarea, select, dialog, [role="listbox"], [contenteditable], [popover]';

/** True if the arrow down key is pressed outside of everything that uses it. */
function isEntering(event: globalThis.KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown' || event.defaultPrevented) return false;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (document.querySelector('dialog[open].modal') !== null) return false;
  return event.target instanceof Element && event.target.closest(USES_ARROWS) === null;
}

function rowIndexOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row instanceof HTMLElement ? Number(row.dataset.index) : null;
}

function targetOf(key: string, from: number, count: number, page: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + Math.max(1, page - 24),
    PageUp: from - Math.max(1, page - 24),
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}
