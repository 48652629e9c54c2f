/** Every key of the page, once: the bindings and the help sheet read this table. */
export const KEY_MAP = [
  { id: 'find', keys: ['/'], does: 'Find a lock, a holder or a waiter' },
  { id: 'help', keys: ['?'], does: 'Show or close this sheet' },
  { id: 'page-1', keys: ['1'], does: 'Overview' },
  { id: 'page-2', keys: ['2'], does: 'Timeline' },
  { id: 'page-3', keys: ['3'], does: 'Events' },
  { id: 'page-4', keys: ['4'], does: 'Demo, where there is one' },
] as const;

export type KeyAction = (typeof KEY_MAP)[number]['id'];

/** Keys that act where the focus is: named in the sheet, handled by the tables and dialogs themselves. */
export const LOCAL_KEYS = [
  { keys: ['↑', '↓'], does: 'Row above, row below' },
  { keys: ['Page Up', 'Page Down'], does: 'A page of rows up, down' },
  { keys: ['Home', 'End'], does: 'First row, last row' },
  { keys: ['Enter'], does: 'Open the lock, or the Redis lines behind the event' },
  { keys: ['Esc'], does: 'Close what is open, or leave the find box' },
] as const;

/** Keys of the timeline. Letters go by their place on the keyboard, so other layouts keep the positions. */
export const TIMELINE_KEYS = [
  { id: 'zoom-in', codes: ['KeyW'], keys: ['W'], does: 'Zoom in, smooth while held (Shift: faster)' },
  { id: 'zoom-out', codes: ['KeyS'], keys: ['S'], does: 'Zoom out' },
  { id: 'pan-back', codes: ['KeyA', 'ArrowLeft'], keys: ['A', '←'], does: 'Pan back' },
  { id: 'pan-on', codes: ['KeyD', 'ArrowRight'], keys: ['D', '→'], does: 'Pan on' },
  { id: 'brush', codes: [], keys: ['Shift ←', 'Shift →'], does: 'Choose a stretch from the cursor' },
  { id: 'lane-up', codes: ['ArrowUp'], keys: ['↑'], does: 'Focus the lane above' },
  { id: 'lane-down', codes: ['ArrowDown'], keys: ['↓'], does: 'Focus the lane below' },
  { id: 'lane-move', codes: [], keys: ['Alt ↑', 'Alt ↓'], does: 'Move the focused lock up, down' },
  { id: 'mark-before', codes: ['Comma'], keys: [','], does: 'Previous mark on the focused lane' },
  { id: 'mark-after', codes: ['Period'], keys: ['.'], does: 'Next mark on the focused lane' },
  { id: 'cause', codes: ['BracketLeft'], keys: ['['], does: 'To the cause of the selected mark' },
  { id: 'effect', codes: ['BracketRight'], keys: [']'], does: 'To its effect' },
  { id: 'details', codes: ['Enter'], keys: ['Enter'], does: 'Redis lines of the selected mark; fold or unfold a lock' },
  { id: 'show', codes: ['KeyF'], keys: ['F'], does: 'Centre the selection; again: fit it' },
  { id: 'zoom-to', codes: ['KeyZ'], keys: ['Z'], does: 'Zoom to the chosen stretch or the selection' },
  { id: 'zoom-back', codes: ['Backspace'], keys: ['Backspace'], does: 'One zoom back' },
  { id: 'all', codes: ['Digit0'], keys: ['0'], does: 'Show everything' },
  { id: 'pause', codes: ['Space'], keys: ['Space'], does: 'Pause, or go on live' },
  { id: 'event-before', codes: ['KeyJ'], keys: ['J'], does: 'Cursor one event back (Shift: ten)' },
  { id: 'event-after', codes: ['KeyK'], keys: ['K'], does: 'Cursor one event on' },
  { id: 'start', codes: ['Home'], keys: ['Home'], does: 'To the oldest event in memory' },
  { id: 'live', codes: ['End'], keys: ['End'], does: 'Go live' },
  { id: 'pin', codes: ['KeyP'], keys: ['P'], does: 'Pin the focused lock to the top' },
  { id: 'hide', codes: ['KeyH'], keys: ['H'], does: 'Hide the focused lane' },
  { id: 'copy', codes: ['KeyC'], keys: ['C'], does: 'Copy a link to exactly this view' },
  { id: 'escape', codes: ['Escape'], keys: ['Esc'], does: 'Close one thing: tooltip, selection, chosen stretch' },
] as const;

export type TimelineKey = (typeof TIMELINE_KEYS)[number]['id'];

/** What a key press asks of the timeline; null while somebody types, reads a table, or has a dialog open. */
export function timelineKeyOf(event: KeyboardEvent): TimelineKey | null {
  if (event.ctrlKey || event.metaKey || event.defaultPrevented || isTyping(event.target)) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('[data-row-focus], dialog') || document.querySelector('dialog[open].modal')) return null;
  const isArrowUpDown = event.code === 'ArrowUp' || event.code === 'ArrowDown';
  if (event.altKey) return isArrowUpDown ? 'lane-move' : null;
  if (event.shiftKey && (event.code === 'ArrowLeft' || event.code === 'ArrowRight')) return 'brush';
  const isControl = target?.matches('button, a, summary, input') === true && !target.matches('[data-lane]');
  if (isControl && (event.code === 'Space' || event.code === 'Enter')) return null;
  if (target?.matches('input') === true && event.code.startsWith('Arrow')) return null;
  return TIMELINE_KEYS.find(({ codes }) => codes.some((code) => code === event.code))?.id ?? null;
}

/** The action a key press asks for; null while somebody types, or where a modifier makes it another key. */
export function actionFromKey(event: KeyboardEvent): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return null;
  return KEY_MAP.find(({ keys }) => keys.some((key) => key === event.key))?.id ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target instanceof HTMLSelectElement || isTextField(target);
}

function isTextField(target: HTMLElement): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'button'].includes(target.type);
}
