import { useSyncExternalStore } from 'react';
import type { StoredChoice } from './stored-choice.ts';

/** What was chosen; renders again with another choice. */
export function useChoice<T extends string>(choice: StoredChoice<T>): T {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
