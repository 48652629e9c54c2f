/** A key. `interrupt`: Ctrl-C or Ctrl-D; `suspend`: Ctrl-Z; `redraw`: Ctrl-L; `text`: a character that can be typed. */
export type Key =
  | { readonly name: (typeof NAMES)[keyof typeof NAMES] | 'interrupt' | 'suspend' | 'redraw' }
  | { readonly name: 'text'; readonly text: string };

/** Our names of keys, by the names of `node:readline`. */
const NAMES = {
  up: 'up',
  down: 'down',
  pageup: 'page-up',
  pagedown: 'page-down',
  home: 'home',
  end: 'end',
  return: 'enter',
  enter: 'enter',
  escape: 'escape',
  backspace: 'backspace',
} as const;

/** The argument of the event `keypress` of `node:readline`. */
export type Keypress = { readonly name?: string | undefined; readonly ctrl?: boolean; readonly meta?: boolean };

/** The key of a `keypress` event; `undefined`: a key without a meaning here. */
export function keyOf(text: string | undefined, { name = '', ctrl = false, meta = false }: Keypress): Key | undefined {
  if (ctrl) {
    if (name === 'c' || name === 'd') return { name: 'interrupt' };
    if (name === 'z') return { name: 'suspend' };
    return name === 'l' ? { name: 'redraw' } : undefined;
  }
  // Esc is reported with the modifier `meta`.
  if (Object.hasOwn(NAMES, name)) return { name: NAMES[name as keyof typeof NAMES] }; // `hasOwn` shows that the key exists
  if (meta || text === undefined || /^[\p{C}\p{Zl}\p{Zp}]*$/u.test(text)) return undefined;
  return { name: 'text', text };
}
