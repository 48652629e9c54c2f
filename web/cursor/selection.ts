import { useSyncExternalStore } from 'react';
import { seqOfId } from '../url/moment.ts';

/** What is selected, on whatever page: a hold, a wait or an event, by the id links use (`h7`, `w3`, `e12`). */
const listeners = new Set<() => void>();
let selection: string | null = null;

/** The selection as it is; null when nothing is. */
export function currentSelection(): string | null {
  return selection;
}

/** Selects a mark or an event, or nothing. */
export function chooseMark(id: string | null): void {
  if (selection === id) return;
  selection = id;
  for (const listener of listeners) listener();
}

/** Selects an event. A mark that begins with it stays selected: it says more. */
export function chooseEvent(seq: number | null): void {
  if (seq === null) chooseMark(null);
  else if (selection === null || seqOfId(selection) !== seq) chooseMark(`e${seq}`);
}

/** The selection; renders again when it changes. */
export function useSelection(): string | null {
  return useSyncExternalStore(onSelection, currentSelection);
}

/** Calls `listener` at each change until the function given back is called. */
export function onSelection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
