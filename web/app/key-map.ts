/** Every key of the page, once: the bindings and the help sheet read this table. */
export const KEY_MAP = [
  { id: 'find', keys: ['/'], does: 'Find a lock, a holder or a waiter' },
  { id: 'help', keys: ['?'], does: 'Show or close this sheet' },
  { id: 'page-1', keys: ['1'], does: 'Overview' },
  { id: 'page-2', keys: ['2'], does: 'Events' },
  { id: 'page-3', keys: ['3'], does: 'Demo, where there is one' },
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
