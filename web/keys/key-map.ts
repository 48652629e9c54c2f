// The keys of the page, for the bindings, the help sheet and the tooltips. The keys of the stage are in
// `web/stage/playback/stage-keys.ts`. The catalogues describe what a key does, under its id.

/** One row of the help sheet. */
export type KeyRow = {
  readonly id: string;
  /** The keys as the sheet and the tooltips show them. */
  readonly keys: readonly string[];
  /** Matched by the typed character (`KeyboardEvent.key`). */
  readonly chars?: readonly string[];
  /** Matched by position on the keyboard (`KeyboardEvent.code`), so that it is the same in every layout. */
  readonly codes?: readonly string[];
};

/** Keys that work on every page. The digits that open pages are in `web/app/navigation/pages.tsx`. */
export const KEY_MAP = [
  { id: 'find', chars: ['/'], keys: ['/'] },
  { id: 'help', chars: ['?'], keys: ['?'] },
  { id: 'settings', codes: ['KeyO'], keys: ['O'] },
  { id: 'save', codes: ['KeyR'], keys: ['R'] },
] as const satisfies readonly KeyRow[];

type KeyAction = (typeof KEY_MAP)[number]['id'];

/** Keys that act on the focused element. The help sheet lists them; tables and dialogs handle them. */
export const LOCAL_KEYS = [
  { id: 'row', keys: ['↑', '↓'] },
  { id: 'page-of-rows', keys: ['Page Up', 'Page Down'] },
  { id: 'first-last', keys: ['Home', 'End'] },
  { id: 'event-step', keys: ['J', 'K'] },
  { id: 'open', keys: ['Enter'] },
  { id: 'play', keys: ['Space'] },
  { id: 'close', keys: ['Esc'] },
] as const satisfies readonly KeyRow[];

/** What the keys of the timeline are for: the groups of the help sheet. */
export const TIMELINE_TASKS = ['zoom', 'select', 'time', 'lanes'] as const;
type TimelineTask = (typeof TIMELINE_TASKS)[number];

export const TIMELINE_KEYS = [
  { id: 'zoom-in', codes: ['KeyW'], keys: ['W'], task: 'zoom' },
  { id: 'zoom-out', codes: ['KeyS'], keys: ['S'], task: 'zoom' },
  { id: 'pan-back', codes: ['KeyA', 'ArrowLeft'], keys: ['A', '←'], task: 'zoom' },
  { id: 'pan-on', codes: ['KeyD', 'ArrowRight'], keys: ['D', '→'], task: 'zoom' },
  { id: 'brush', codes: [], keys: ['Shift ←', 'Shift →'], task: 'zoom' },
  { id: 'show', codes: ['KeyF'], keys: ['F'], task: 'zoom' },
  { id: 'zoom-to', codes: ['KeyZ'], keys: ['Z'], task: 'zoom' },
  { id: 'zoom-back', codes: ['Backspace'], keys: ['Backspace'], task: 'zoom' },
  { id: 'problem-before', codes: ['KeyB'], keys: ['B'], task: 'zoom' },
  { id: 'problem-after', codes: ['KeyN'], keys: ['N'], task: 'zoom' },
  { id: 'all', codes: ['Digit0'], keys: ['0'], task: 'zoom' },
  { id: 'mark-before', codes: ['Comma'], keys: [','], task: 'select' },
  { id: 'mark-after', codes: ['Period'], keys: ['.'], task: 'select' },
  { id: 'cause', codes: ['BracketLeft'], keys: ['['], task: 'select' },
  { id: 'effect', codes: ['BracketRight'], keys: [']'], task: 'select' },
  { id: 'details', codes: ['Enter'], keys: ['Enter'], task: 'select' },
  { id: 'escape', codes: ['Escape'], keys: ['Esc'], task: 'select' },
  { id: 'pause', codes: ['Space'], keys: ['Space'], task: 'time' },
  { id: 'event-before', codes: ['KeyJ'], keys: ['J'], task: 'time' },
  { id: 'event-after', codes: ['KeyK'], keys: ['K'], task: 'time' },
  { id: 'start', codes: ['Home'], keys: ['Home'], task: 'time' },
  { id: 'live', codes: ['End'], keys: ['End'], task: 'time' },
  { id: 'copy', codes: ['KeyC'], keys: ['C'], task: 'time' },
  { id: 'lane-up', codes: ['ArrowUp'], keys: ['↑'], task: 'lanes' },
  { id: 'lane-down', codes: ['ArrowDown'], keys: ['↓'], task: 'lanes' },
  { id: 'lane-move', codes: [], keys: ['Alt ↑', 'Alt ↓'], task: 'lanes' },
  { id: 'pin', codes: ['KeyP'], keys: ['P'], task: 'lanes' },
  { id: 'hide', codes: ['KeyH'], keys: ['H'], task: 'lanes' },
] as const satisfies readonly (KeyRow & { readonly task: TimelineTask })[];

export type TimelineKey = (typeof TIMELINE_KEYS)[number]['id'];

const ALL_KEYS = [...KEY_MAP, ...LOCAL_KEYS, ...TIMELINE_KEYS];

/** Returns the first key of an action, for its tooltip. */
export function keyOf(id: KeyAction | TimelineKey): string {
  return ALL_KEYS.find((row) => row.id === id)?.keys[0] ?? '';
}

/**
 * Returns the timeline action of a key press; null if it has none, in a text field, in a table, while a dialog is open,
 * and with Ctrl or Meta. Space and Enter on a control, and arrows on an input, belong to that element.
 */
export function timelineKeyOf(event: KeyboardEvent): TimelineKey | null {
  if (event.ctrlKey || event.metaKey || event.defaultPrevented || isTyping(event.target)) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('[data-row-focus], dialog') || isDialogOpen()) return null;
  const isArrowUpDown = event.code === 'ArrowUp' || event.code === 'ArrowDown';
  if (event.altKey) return isArrowUpDown ? 'lane-move' : null;
  if (event.shiftKey && (event.code === 'ArrowLeft' || event.code === 'ArrowRight')) return 'brush';
  const isControl = target?.matches('button, a, summary, input') === true && !target.matches('[data-lane]');
  if (isControl && (event.code === 'Space' || event.code === 'Enter')) return null;
  if (target?.matches('input') === true && event.code.startsWith('Arrow')) return null;
  return TIMELINE_KEYS.find(({ codes }) => codes.some((code) => code === event.code))?.id ?? null;
}

/**
 * Returns the row of a key press; null if it has none, in a text field, with Ctrl, Alt or Meta, and while a dialog is
 * open (except the row `help`).
 */
export function rowFromKey<Row extends KeyRow>(event: KeyboardEvent, rows: readonly Row[]): Row | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return null;
  const byChar = (row: KeyRow) => row.chars?.includes(event.key) === true;
  const byCode = (row: KeyRow) => !event.shiftKey && row.codes?.includes(event.code) === true;
  const row = rows.find(byChar) ?? rows.find(byCode) ?? null;
  // an open dialog receives all keys, except the key that closes the help sheet
  return isDialogOpen() && row?.id !== 'help' ? null : row;
}

/** True while a modal dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open].modal') !== null;
}

/** True if the target is a text field, a select or other editable content. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target instanceof HTMLSelectElement || isTextField(target);
}

function isTextField(target: HTMLElement): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'button', 'range'].includes(target.type);
}
