/** Scrolls a table just so far that a row is visible below the head of the table, which stays at the top. */
export function showRow(scroller: HTMLElement, index: number, headHeight: number): void {
  const row = scroller.querySelector(`[data-index="${index}"]`);
  if (!row) return;
  const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const bottom = top + row.getBoundingClientRect().height;
  if (top < headHeight) scroller.scrollTop += top - headHeight;
  else if (bottom > scroller.clientHeight) scroller.scrollTop += bottom - scroller.clientHeight;
}
