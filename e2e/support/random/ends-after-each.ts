import { afterEach } from 'vitest';

/** How many times the usual number of operations to run, for example `RANDOM_TIMES=20` for a long manual run. */
export const TIMES = Number(process.env.RANDOM_TIMES || 1);
/** The factor for the time limits of a run with more operations. */
export const TIME_LIMIT_FACTOR = Math.max(1, TIMES);

/** Returns a function that keeps what a test started, and ends it after the test: the newest first. */
export function endsAfterEach(): <Started>(started: Started, end: (started: Started) => unknown) => Started {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return (started, end) => {
    ends.push(() => end(started));
    return started;
  };
}
