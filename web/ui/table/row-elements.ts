type Row = { readonly key: string | number; readonly kind: string };
type Taken = { readonly element: number; readonly kind: string };

/**
 * Gives each row at the end of a growing table an element. A row keeps its element as long as it keeps its kind. A new
 * row takes the element of a row of its kind that is no longer shown, so that only the texts change.
 *
 *   rows       a b c d        c d e f
 *   elements   0 1 2 3   →    2 3 0 1
 */
export class RowElements {
  #taken = new Map<string | number, Taken>();
  #made = 0;

  /** Returns the number of the element of each row. */
  of(rows: readonly Row[]): number[] {
    const taken = new Map<string | number, Taken>();
    const free = new Map<string, number[]>();
    const kinds = new Map(rows.map(({ key, kind }) => [key, kind]));
    for (const [key, { element, kind }] of this.#taken) {
      if (kinds.get(key) === kind) continue;
      const elements = free.get(kind);
      if (elements) elements.push(element);
      else free.set(kind, [element]);
    }
    for (const elements of free.values()) elements.reverse();
    const elements = rows.map(({ key, kind }) => {
      const own = this.#taken.get(key);
      const element = own?.kind === kind ? own.element : (free.get(kind)?.pop() ?? this.#made++);
      taken.set(key, { element, kind });
      return element;
    });
    this.#taken = taken;
    return elements;
  }
}
