import { createContext, type ReactNode, useContext } from 'react';
import { type ShownThread, useShownThreads } from '../data/queries/thread-dumps.ts';

const Shown = createContext<ReadonlyMap<string, ShownThread>>(new Map());

/** Reads what thread dumps show about these holders and waiters, for everything inside. */
export function ThreadsProvider({ holders, children }: { holders: readonly string[]; children: ReactNode }) {
  return <Shown value={useShownThreads(holders)}>{children}</Shown>;
}

/** What a thread dump shows about a holder or waiter; undefined: its client has no dump. */
export function useShownThread(holder: string): ShownThread | undefined {
  return useContext(Shown).get(holder);
}
