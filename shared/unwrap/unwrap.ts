import { LAYERS } from './layers.ts';
import { hasControls, plainText } from './plain-text.ts';
import type { Wrapping } from './skipped.ts';

/** The kind of text that is wanted. */
export type Content = {
  /** Whether a text has it as it is. */
  isIn(text: string): boolean;
  /** A quick test: false if it cannot be in there, however it is wrapped. */
  mayBeIn(text: string): boolean;
};

/** Forms within forms: a log line in JSON, in a table, on a web page. */
const MOST_DEPTH = 4;
/** Characters that are looked at, as a multiple of those of the text: a hostile text has forms in forms in all of them. */
const MOST_LOOKS = 12;

/** Opens the forms around a text, one after the other, until it has what is wanted; undefined if it never has. */
export function unwrapped(
  wrapped: string,
  content: Content,
  depth = MOST_DEPTH,
  room = { characters: wrapped.length * MOST_LOOKS },
): { readonly text: string; readonly around: readonly Wrapping[] } | undefined {
  room.characters -= wrapped.length;
  if (room.characters < 0 || !content.mayBeIn(wrapped)) return undefined;
  const text = plainText(wrapped);
  const around: readonly Wrapping[] = hasControls(wrapped) ? ['colours'] : [];
  if (content.isIn(text)) return { text, around };
  if (depth === 0) return undefined;
  for (const { name, open } of LAYERS) {
    for (const inner of open(text)) {
      if (inner === text) continue;
      const found = unwrapped(inner, content, depth - 1, room);
      if (found) return { text: found.text, around: [...around, name, ...found.around] };
    }
  }
  return undefined;
}
