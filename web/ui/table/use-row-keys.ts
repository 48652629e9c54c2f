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

type RowsOfKeys = {
  /** How many rows the keys can reach. */
  count: number;
  /** The first and the last row that is rendered. */
  first: number;
  last: number;
  /** How many rows Page Up and Page Down move. */
  page: () => number;
  /** Scrolls to a row. */
  show: (index: number) => void;
  scroller: RefObject<HTMLElement | null>;
  isMain: boolean;
};

/** Handles arrow keys, Page Up, Page Down, Home and End in a table that may render only its visible rows. */
export function useRowKeys({ count, first, last, page, show, scroller, isMain }: RowsOfKeys): RowKeys {
  const [wanted, setWanted] = useState(0);
  const tabStop = Math.min(last, Math.max(first, wanted));

  const focusRow = (index: number) => {
    setWanted(index);
    show(index);
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
      const to = isOnRow && from !== null ? targetOf(event.key, from, count, Math.max(1, page())) : null;
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
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}
