import { useSyncExternalStore } from 'react';
import type { ChosenRange } from '../url/range.ts';

const listeners = new Set<() => void>();
let range: ChosenRange | null = null;

/** The range of time that the user chose, shared by all pages; null: none, so that each page shows its usual one. */
export function currentRange(): ChosenRange | null {
  return range;
}

/** Chooses a range; null: none. */
export function chooseRange(next: ChosenRange | null): void {
  if (range === next) return;
  range = next;
  for (const listener of listeners) listener();
}

/** Returns the range; the component renders again when it changes. */
export function useRange(): ChosenRange | null {
  return useSyncExternalStore(onRange, currentRange);
}

function onRange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
