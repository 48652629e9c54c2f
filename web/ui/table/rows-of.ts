/** The rows of a table that are rendered, from the top. */
export function rowsOf(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('tbody > tr')];
}

/** The exact height of a row: `offsetHeight` is rounded. */
export function heightOf(row: HTMLElement): number {
  return row.getBoundingClientRect().height;
}
