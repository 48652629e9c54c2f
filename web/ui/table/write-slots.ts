/** What is written into the element that is marked `data-slot`. Absent `text`: the element keeps its children. */
export type Written = {
  readonly slot: string;
  readonly text?: string;
  readonly title?: string | undefined;
  readonly href?: string;
};

/** Writes into the marked elements below `root`, over what is there. Only what differs is touched. */
export function writeSlots(root: Element, all: readonly Written[]): void {
  const elements = new Map<string | null, Element>();
  for (const element of root.querySelectorAll('[data-slot]')) elements.set(element.getAttribute('data-slot'), element);
  for (const { slot, text, title, href } of all) {
    const element = elements.get(slot);
    if (!element) throw new Error(`no element for the slot "${slot}"`);
    if (text !== undefined && element.textContent !== text) writeText(element, text);
    writeAttribute(element, 'title', title);
    if (href !== undefined) writeAttribute(element, 'href', href);
  }
}

export function writeAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Keeps the text node of the element, if it has one. */
function writeText(element: Element, text: string): void {
  const { firstChild } = element;
  if (firstChild instanceof Text) firstChild.data = text;
  else element.textContent = text;
}
