/** Levels of brackets, and values of any kind, that a text of JSON may have. */
export type JsonBounds = { readonly depth: number; readonly values: number };

/** A text shorter than this costs little to parse, so it is not checked. */
const SHORT = 64 * 1024;

const QUOTE = 34;
const COMMA = 44;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);
const BACKSLASH = 92;

/**
 * Whether a text of JSON has at most this depth and this number of values. `JSON.parse` makes an object for each bracket, and
 * an entry for each key, so it takes up to a hundred times the memory of the text before anything can look at the result. And
 * it ends the whole process, not only its thread, if the memory is not enough: 100,000 values take about 12 MB.
 */
export function isJsonWithin({ depth: deepest, values: most }: JsonBounds, text: string): boolean {
  if (text.length < SHORT) return true;
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

/** Where the string that begins at `from` ends; the end of the text if it does not. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
