import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Key } from './terminal/keys.ts';

/** A row that can be selected and opened. */
export type Item =
  | { readonly kind: 'verdict'; readonly id: string; readonly verdict: WireInsight }
  | { readonly kind: 'lock'; readonly id: string; readonly lock: Lock };

/** What is opened: a lock, a verdict, or both. */
export type Opened = { readonly lockId: string | null; readonly verdictId: string | null };

/** What the user has chosen to see. */
export type View = {
  /** The id of the selected item; null: none has been selected yet. */
  readonly selected: string | null;
  readonly page: 'list' | 'help' | Opened;
  /** The first visible line of a page that is not the list. */
  readonly scroll: number;
  /** A part of the names of the shown locks; empty: all locks. */
  readonly filter: string;
  readonly isTyping: boolean;
  readonly isPaused: boolean;
};

export const FIRST_VIEW: View = {
  ...{ selected: null, page: 'list', scroll: 0, filter: '' },
  ...{ isTyping: false, isPaused: false },
};

/** The screen that a key was pressed on. */
export type Shown = {
  readonly items: readonly Item[];
  /** Rows of the list or page that are visible at once. */
  readonly rows: number;
  /** The largest `scroll` that shows something new. */
  readonly mostScroll: number;
};

/** Longest filter. */
const MOST_FILTER = 200;

/** The view after a key was pressed, or `quit`. */
export function pressed(view: View, key: Key, shown: Shown): View | 'quit' {
  if (key.name === 'interrupt') return 'quit';
  if (view.isTyping) return typed(view, key);
  if (key.name === 'text' && key.text === 'q') return 'quit';
  if (key.name === 'text' && key.text === ' ') return { ...view, isPaused: !view.isPaused };
  if (key.name === 'text' && key.text === '?')
    return { ...view, page: view.page === 'help' ? 'list' : 'help', scroll: 0 };
  return view.page === 'list' ? inList(view, key, shown) : inPage(view, key, shown);
}

/** The place of the selected item; -1: none is selected, or it is no longer shown. */
export function selectedIndex({ selected }: Pick<View, 'selected'>, items: readonly Item[]): number {
  return selected === null ? -1 : items.findIndex(({ id }) => id === selected);
}

function typed(view: View, key: Key): View {
  const { filter } = view;
  switch (key.name) {
    case 'enter':
      return { ...view, isTyping: false };
    case 'escape':
      return { ...view, isTyping: false, filter: '' };
    case 'backspace':
      return { ...view, filter: [...filter].slice(0, -1).join('') };
    case 'text':
      return { ...view, filter: (filter + key.text).slice(0, MOST_FILTER) };
    default:
      return view;
  }
}

function inList(view: View, key: Key, { items, rows }: Shown): View {
  const step = stepOf(key, rows);
  if (step !== 0) {
    const at = selectedIndex(view, items);
    // Without a selection, one step down selects the first item.
    const next = Math.min(items.length - 1, Math.max(0, at + step));
    return { ...view, selected: items[next]?.id ?? null };
  }
  if (key.name === 'enter') {
    const item = items[Math.max(0, selectedIndex(view, items))];
    return item ? { ...view, selected: item.id, page: openedBy(item), scroll: 0 } : view;
  }
  if (key.name === 'escape') return { ...view, filter: '', isPaused: view.isPaused && view.filter === '' };
  // A filter finds other locks, which can be shown only as they are now: so the pause ends.
  if (key.name === 'text' && key.text === '/') return { ...view, isTyping: true, isPaused: false };
  return view;
}

function inPage(view: View, key: Key, { rows, mostScroll }: Shown): View {
  const step = stepOf(key, rows);
  if (step !== 0) return { ...view, scroll: Math.min(mostScroll, Math.max(0, view.scroll + step)) };
  if (key.name === 'escape' || key.name === 'backspace') return { ...view, page: 'list', scroll: 0 };
  return view;
}

function openedBy(item: Item): Opened {
  if (item.kind === 'lock') return { lockId: item.lock.id, verdictId: null };
  const { source, db, lock } = item.verdict;
  const lockId = lock === undefined || db === undefined ? null : lockIdOf({ source, db, lock });
  return { lockId, verdictId: item.verdict.id };
}

/** By how many rows a key moves. */
function stepOf(key: Key, rows: number): number {
  const page = Math.max(1, rows - 1);
  switch (key.name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'page-up':
      return -page;
    case 'page-down':
      return page;
    case 'home':
      return Number.MIN_SAFE_INTEGER;
    case 'end':
      return Number.MAX_SAFE_INTEGER;
    case 'text':
      return key.text === 'j' ? 1 : key.text === 'k' ? -1 : 0;
    default:
      return 0;
  }
}
