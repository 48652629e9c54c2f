/** The shape is made of at most this many characters: the rest of a longer name is ignored. */
const MOST_CHARACTERS = 200;
const NUMBERS = /[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|\d+/gi;

/** The form that the names of one purpose share: `order:1001` and `order:7` are `order:#`. */
export function nameShape(name: string): string {
  return name.slice(0, MOST_CHARACTERS).replace(NUMBERS, '#');
}
