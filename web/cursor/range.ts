import { useSyncExternalStore } from 'react';
import { Changing } from '../../shared/base/changing.ts';
import type { ChosenRange } from '../url/range.ts';

const range = new Changing<ChosenRange | null>(null);

/** The range of time that the user chose, shared by all pages; null: none, so that each page shows its usual one. */
export const currentRange = range.get;

/** Chooses a range; null: none. */
export function chooseRange(next: ChosenRange | null): void {
  range.set(next);
}

/** Returns the range; the component renders again when it changes. */
export function useRange(): ChosenRange | null {
  return useSyncExternalStore(range.subscribe, range.get);
}
