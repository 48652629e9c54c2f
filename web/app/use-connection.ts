import { useEffect, useState } from 'react';
import { problemFromError } from '../data/http.ts';
import { readClock, readRemainingLocks, useHealthFeedsStore } from '../data/queries.ts';
import { connectSocket } from '../data/socket-client.ts';
import { useLiveStore } from '../data/use-live.ts';

/** How often Redis's clock is read again. */
const CLOCK_EVERY_MS = 30_000;

export type ConnectionProblem = { readonly message: string; readonly hint: string };

/** Keeps the page connected; gives back what the server complained about, if it did. */
export function useConnection(): ConnectionProblem | null {
  const store = useLiveStore();
  useHealthFeedsStore();
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  useEffect(() => {
    const report = (error: unknown) => setProblem(problemFromError(error));
    const disconnect = connectSocket({
      store,
      onSnapshot: () => void readRemainingLocks(store).catch(report),
      onProblem: setProblem,
    });
    // A missed reading does no harm: the one before still holds.
    const timer = window.setInterval(() => void readClock(store).catch(() => undefined), CLOCK_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      disconnect();
    };
  }, [store]);
  return problem;
}
