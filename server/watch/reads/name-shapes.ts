import { nameShape } from '../../../shared/events/names/name-shape.ts';

const MOST_SHAPES = 1000;
/** At most this many shapes begin with the same word; all further names with that word share one shape. */
const MOST_SHAPES_PER_WORD = 32;
const FIRST_WORD = /^[^:./|_{}-]*[:./|_{}-]?/;

/**
 * Sorts names by shape: the name with its numbers and ids replaced. The number of shapes is bounded.
 *
 *   session:81723, session:4     session:#
 *   user:alice, user:bob …       one shape each for the first 32, then user:*
 *   any name, when full          *
 */
export class NameShapes {
  readonly #shapes = new Set<string>();
  readonly #perWord = new Map<string, number>();

  get isFull(): boolean {
    return this.#shapes.size >= MOST_SHAPES;
  }

  of(name: string): string {
    const shape = nameShape(name);
    if (this.#shapes.has(shape)) return shape;
    if (this.isFull) return '*';
    const own = copyOf(shape);
    const [word = ''] = FIRST_WORD.exec(own) ?? [];
    const count = this.#perWord.get(word) ?? 0;
    if (count >= MOST_SHAPES_PER_WORD) return `${word}*`;
    this.#perWord.set(word, count + 1);
    this.#shapes.add(own);
    return shape;
  }
}

/** Copies a text. A part of a string keeps the whole string in memory, and a name may have a megabyte. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
