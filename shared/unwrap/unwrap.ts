import { LAYERS } from './layers.ts';
import { hasControls, plainText } from './plain-text.ts';
import type { Wrapping } from './skipped.ts';

/** The kind of text that is wanted. */
export type Content = {
  /** Whether a text contains the wanted content without unwrapping. */
  isIn(text: string): boolean;
  /** A quick test: false if no form in the text can contain the wanted content. */
  mayBeIn(text: string): boolean;
};

/** Forms within forms: a log line in JSON, in a table, on a web page. */
const MOST_DEPTH = 4;
/**
 * How many characters are examined, as a multiple of those of the text: in a hostile text, forms are nested in forms.
 */
const MOST_LOOKS = 12;

/** Opens the forms around a text, one after the other, until the wanted content is found; undefined if it never is. */
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
