import { useEffect, useState } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { connectSocket } from '../data/live/socket-client.ts';
import { followClock } from '../data/live/ticker.ts';
import { useLiveStore } from '../data/live/use-live.ts';
import { readClock, readRemainingLocks } from '../data/queries/queries.ts';
import { isFleetHome } from '../url/base-path.ts';
import { problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';

/** How often Redis's clock is read. */
const CLOCK_EVERY_MS = 30_000;

/** A problem with the connection, or with reading the locks. `textIn` formats it in the given language. */
export type ConnectionProblem = { readonly textIn: (words: Words) => { message: string; hint: string } };

/** Keeps the page connected. Returns the problem with the connection or with reading the locks, or null. */
export function useConnection(): ConnectionProblem | null {
  const store = useLiveStore();
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  useEffect(() => {
    followClock((now) => store.clock.at(now));
    const report = (error: unknown) => setProblem({ textIn: (words) => problemFromError(error, words) });
    let reading = new AbortController();
    const readLocks = async () => {
      reading.abort();
      reading = new AbortController();
      const { signal } = reading;
      // the own pages of a viewer have no locks, and its server refuses to list them
      const read = isFleetHome ? readClock(store) : readRemainingLocks(store, signal);
      await read.catch((error: unknown) => signal.aborted || report(error));
    };
    const disconnect = connectSocket({
      store,
      onSnapshot: () => void readLocks(),
      onProblem: (received) => setProblem(received && { textIn: (words) => problemText(words, received) }),
    });
    // a failed reading does no harm: the previous one is still valid
    const timer = window.setInterval(() => void readClock(store).catch(() => undefined), CLOCK_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      reading.abort();
      disconnect();
    };
  }, [store]);
  return problem;
}
