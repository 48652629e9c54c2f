import { useEffect, useState } from 'react';
import { problemFromError } from '../data/http.ts';
import { readClock, readRemainingLocks, useHealthFeedsStore } from '../data/queries.ts';
import { connectSocket } from '../data/socket-client.ts';
import { useLiveStore } from '../data/use-live.ts';
import { problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';

/** How often Redis's clock is read again. */
const CLOCK_EVERY_MS = 30_000;

/** What the server complained about, in the words of any language. */
export type ConnectionProblem = { readonly say: (words: Words) => { message: string; hint: string } };

/** Keeps the page connected; gives back what the server complained about, if it did. */
export function useConnection(): ConnectionProblem | null {
  const store = useLiveStore();
  useHealthFeedsStore();
  const [problem, setProblem] = useState<ConnectionProblem | null>(null);
  useEffect(() => {
    const report = (error: unknown) => setProblem({ say: (words) => problemFromError(error, words) });
    const disconnect = connectSocket({
      store,
      onSnapshot: () => void readRemainingLocks(store).catch(report),
      onProblem: (told) => setProblem(told && { say: (words) => problemText(words, told) }),
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
