import { startTimer, stopTimer } from '../../redis/connection/surroundings.ts';

/** Resolves after `ms`. Rejects with the signal's reason if the signal is aborted before or meanwhile. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = startTimer(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      stopTimer(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
