import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/** A busy machine may take a minute. */
const MOST_TRIES = 1200;

/**
 * Waits until `check` throws no longer, and returns what it returns. The first pauses are the shortest: most of what a
 * test waits for happens in a millisecond. Later checks are rare, because each takes time that the product needs.
 */
export async function soon<T>(check: () => T | Promise<T>): Promise<T> {
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries += 1, pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await check();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
    await pause(pauseMs);
  }
}
