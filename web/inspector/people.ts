import { createContext, useContext } from 'react';
import { ShownSight } from '../cursor/shown-instant.ts';
import { freeLetter, letterOf } from '../data/letters.ts';
import { useLive } from '../data/use-live.ts';

/** Letters given from outside, by holder id: the demo's clients keep theirs. */
export const GivenLetters = createContext<ReadonlyMap<string, string>>(new Map());

/**
 * The letter of a holder at one lock, or null; `told`: what the lock or event itself says. Without a lock only a letter
 * given from outside.
 */
export function useLetter(lockId: string | null, holderId: string, told?: string): string | null {
  const given = useContext(GivenLetters);
  const known = useLive((state) => letterOf(given, lockId === null ? undefined : state.letters.get(lockId), holderId));
  const own = lockId === null || given.has(holderId) ? null : freeLetter(given, told);
  return own ?? known;
}

/** True where refused attempts are seen, so that an empty list of waiters means that nobody waits. */
export function useSeesWaiters(source: string): boolean {
  const shown = useContext(ShownSight);
  const now = useLive((state) => state.sources.find(({ id }) => id === source)?.level === 'monitor');
  return shown ?? now;
}

/** The CLIENT LIST name of a client, also after its connection is gone. */
export function useClientName(client: string, name: string | null): string | null {
  const seen = useLive((state) => state.names.get(client) ?? null);
  return name ?? seen;
}
