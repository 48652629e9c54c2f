import { useSyncExternalStore } from 'react';
import { Changing } from '../../shared/base/changing.ts';
import { seqOfId } from '../url/moment.ts';

/** The selected hold, wait or event, shared by all pages, by the id that links use (`h7`, `w3`, `e12`). */
const selection = new Changing<string | null>(null);

/** Returns the id of the selected mark or event; null if nothing is selected. */
export const currentSelection = selection.get;

/** Selects a mark or an event by its id; null clears the selection. */
export function chooseMark(id: string | null): void {
  selection.set(id);
}

/** Selects an event. If the selected mark begins with this event, the mark stays selected: it has more details. */
export function chooseEvent(seq: number | null): void {
  const chosen = selection.get();
  if (seq === null) chooseMark(null);
  else if (chosen === null || seqOfId(chosen) !== seq) chooseMark(`e${seq}`);
}

/** Returns the selection; the component rerenders when it changes. */
export function useSelection(): string | null {
  return useSyncExternalStore(selection.subscribe, selection.get);
}
