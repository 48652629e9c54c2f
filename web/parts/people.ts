import { createContext, useContext } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { type HiddenWaiters, hidesWaiters } from '../../shared/wire/locks/lock-facts.ts';
import { ShownSight } from '../cursor/shown-instant.ts';
import { freeLetter, letterOf } from '../data/live/letters.ts';
import { useLive } from '../data/live/use-live.ts';

/** Letters of demo clients by holder id. They are the same at every lock. */
export const GivenLetters = createContext<ReadonlyMap<string, string>>(new Map());

/**
 * Returns the letter of a holder at one lock, or null. `shown` is the letter in the shown lock or event. Without a
 * lock, returns only the letters of demo clients.
 */
export function useLetter(lockId: string | null, holderId: string, shown?: string): string | null {
  const given = useContext(GivenLetters);
  const known = useLive((state) => letterOf(given, lockId === null ? undefined : state.letters.get(lockId), holderId));
  const own = lockId === null || given.has(holderId) ? null : freeLetter(given, shown);
  return own ?? known;
}

/** True if refused attempts are visible, so that an empty list of waiters means that there are no waiters. */
export function useSeesWaiters(source: string): boolean {
  const shown = useContext(ShownSight);
  const now = useLive((state) => state.sources.find(({ id }) => id === source)?.level === 'monitor');
  return shown?.showsAttempts ?? now;
}

/** Why threads that wait for a lock may not be seen at the shown instant; null: all are seen. */
export function useHidesWaiters(lock: Lock): HiddenWaiters | null {
  const shown = useContext(ShownSight);
  const now = useLive(({ sources }) =>
    hidesWaiters(
      lock,
      sources.find(({ id }) => id === lock.source),
    ),
  );
  if (shown === null) return now;
  const then = shown.unseen.find(({ source }) => source === lock.source);
  return hidesWaiters(lock, then, shown.showsAttempts);
}

/** True if every thread that waits for a lock is seen. */
export function useSeesWaitersOf(lock: Lock): boolean {
  return useHidesWaiters(lock) === null;
}

/** The CLIENT LIST name of a client, also after the client has disconnected; `name` if that is not null. */
export function useClientName(client: string, name: string | null): string | null {
  const seen = useLive((state) => state.names.get(client) ?? null);
  return name ?? seen;
}
