import type { Words } from '../../words/words.ts';

/** Keys of the stage, for the bindings and the help sheet. Letters are matched by their place on the keyboard. */
export const STAGE_KEYS = [
  { id: 'play', codes: ['Space'], keys: ['Space'] },
  { id: 'back', codes: ['ArrowLeft'], keys: ['←'] },
  { id: 'on', codes: ['ArrowRight'], keys: ['→'] },
  { id: 'restart', codes: ['Home'], keys: ['Home'] },
  { id: 'live', codes: ['End'], keys: ['End'] },
  { id: 'slower', codes: ['Minus', 'NumpadSubtract'], keys: ['−'] },
  { id: 'faster', codes: ['Equal', 'NumpadAdd'], keys: ['+'] },
  { id: 'full', codes: ['KeyF'], keys: ['F'] },
  { id: 'captions', codes: ['KeyC'], keys: ['C'] },
  { id: 'ahead', codes: ['KeyA'], keys: ['A'] },
] as const satisfies readonly { id: keyof Words['stage']['keys']; codes: readonly string[]; keys: readonly string[] }[];

export type StageKey = (typeof STAGE_KEYS)[number]['id'];

/**
 * The action of a key press. Null if the key has no action, if a dialog is open, or if the focused element needs the
 * key, for example a text field, or a button for Space.
 */
export function stageKeyOf(event: KeyboardEvent): StageKey | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('dialog') || document.querySelector('dialog[open].modal')) return null;
  if (target?.matches('select, textarea') || (target instanceof HTMLElement && target.isContentEditable)) return null;
  const isField = target instanceof HTMLInputElement;
  if (isField && !['radio', 'checkbox', 'button'].includes(target.type)) return null;
  if (isField && event.code.startsWith('Arrow')) return null;
  if (target?.matches('button, a, summary, input') && event.code === 'Space') return null;
  return STAGE_KEYS.find(({ codes }) => codes.some((code) => code === event.code))?.id ?? null;
}
