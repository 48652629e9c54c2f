import type { ReportedEvent } from '../lockscope/lockscope.ts';

/** In µs. A client of several servers never pauses this long between the calls to two of them. */
const LONGEST_PAUSE_US = 100_000;
const MOST_TRIES = 3;

/**
 * Repeats the steps until the events of each returned list follow each other without a pause, as a real client's do. A
 * busy machine may cause a pause. Only the times of the events decide about a repetition, not what Lockscope concludes
 * from the events. Throws after three tries.
 */
export async function withoutPause(steps: (nth: number) => Promise<ReportedEvent[][]>): Promise<ReportedEvent[][]> {
  for (let nth = 1; ; nth++) {
    const lists = await steps(nth);
    const pauses = lists.map(longestPause);
    if (pauses.every((pause) => pause <= LONGEST_PAUSE_US)) return lists;
    if (nth === MOST_TRIES) throw new Error(`a pause in each of ${MOST_TRIES} tries, the last of ${pauses.join()} µs`);
  }
}

function longestPause(events: readonly ReportedEvent[]): number {
  const times = events.map(({ at }) => at).sort((a, b) => a - b);
  return Math.max(0, ...times.slice(1).map((at, n) => at - (times[n] ?? at)));
}
