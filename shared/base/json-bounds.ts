/** The limits of a JSON text: how deep its brackets may nest, and how many values of any kind it may have. */
export type JsonBounds = { readonly depth: number; readonly values: number };

/** A text shorter than this costs little to parse, so it is not checked. */
const UNCHECKED_BELOW = 64 * 1024;

const QUOTE = 34;
const COMMA = 44;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);
const BACKSLASH = 92;

/**
 * Whether a JSON text has at most this depth and this number of values, or is shorter than 64 KB. `JSON.parse` makes an
 * object for each bracket and an entry for each key. So it may take a hundred times the memory of the text: 100,000
 * values take about 12 MB. If memory runs out, the whole process ends, not only its thread.
 */
export function isJsonWithin({ depth: deepest, values: most }: JsonBounds, text: string): boolean {
  if (text.length < UNCHECKED_BELOW) return true;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      depth++;
      values++;
      if (depth > deepest) return false;
    } else if (CLOSING.has(code)) depth--;
    else if (code === COMMA) values++;
    if (values > most) return false;
  }
  return true;
}

/** Where the string that begins at `from` ends; the end of the text if the closing quote is missing. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
