import { pause } from '../wait-for.ts';

/**
 * Calls `act` again and again, with a pause of `everyMs` after each call. `stop` ends that, and rejects if a call
 * failed.
 */
export function repeatUntilStopped(act: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await act();
      await pause(everyMs);
    }
  })();
  // If a test fails, its Lockscope ends while `act` still asks it. `stop` reports the error if the test continues.
  running.catch(() => {});
  return {
    stop() {
      isStopped = true;
      return running;
    },
  };
}
