import type { Sliced } from './in-slices.ts';

/** How much text is made at once, unless one element of a list, or a value that is not a list, is longer. */
const PIECE_CHARS = 32 * 1024;

/** The JSON of an object as pieces of UTF-8. Its lists are written piece by piece, so no step is long. */
export function* jsonInSlices(body: Readonly<Record<string, unknown>>): Sliced<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '';
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!Array.isArray(value)) {
      text += JSON.stringify(value);
      continue;
    }
    text += '[';
    for (const [place, element] of value.entries()) {
      text += (place === 0 ? '' : ',') + JSON.stringify(element);
      if (text.length < PIECE_CHARS) continue;
      pieces.push(Buffer.from(text));
      text = '';
      yield;
    }
    text += ']';
  }
  pieces.push(Buffer.from(before === '{' ? '{}' : `${text}}`));
  return pieces;
}
