import { useSyncExternalStore } from 'react';
import type { StoredChoice } from './stored-choice.ts';

/** Returns the current value of a choice; the component rerenders when it changes. */
export function useChoice<T extends string>(choice: StoredChoice<T>): T {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
