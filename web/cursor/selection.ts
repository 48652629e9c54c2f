import { useSyncExternalStore } from 'react';
import { seqOfId } from '../url/moment.ts';

/** The selected hold, wait or event, shared by all pages, by the id that links use (`h7`, `w3`, `e12`). */
const listeners = new Set<() => void>();
let selection: string | null = null;

/** Returns the id of the selected mark or event; null if nothing is selected. */
export function currentSelection(): string | null {
  return selection;
}

/** Selects a mark or an event by its id; null clears the selection. */
export function chooseMark(id: string | null): void {
  if (selection === id) return;
  selection = id;
  for (const listener of listeners) listener();
}

/** Selects an event. If the selected mark begins with this event, the mark stays selected: it has more details. */
export function chooseEvent(seq: number | null): void {
  if (seq === null) chooseMark(null);
  else if (selection === null || seqOfId(selection) !== seq) chooseMark(`e${seq}`);
}

/** Returns the selection; the component rerenders when it changes. */
export function useSelection(): string | null {
  return useSyncExternalStore(onSelection, currentSelection);
}

/** Calls `listener` at each change. Returns the function that unsubscribes it. */
function onSelection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
