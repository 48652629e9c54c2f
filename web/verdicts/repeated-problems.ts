import { type Millis, millisBetween, redisTime } from '../../shared/base/time.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';

/** One problem of one lock: how often it happened, and for how long. */
type RepeatedProblem = {
  readonly newest: LoggedProblem;
  readonly count: number;
  /** The total duration of its repetitions. An open problem counts until `now`. */
  readonly ms: Millis;
  readonly isOpen: boolean;
};

/** Puts together the same problem of the same lock. `problems` begins with the newest one, and so does the result. */
export function repeatedProblems(problems: readonly LoggedProblem[], now: number): readonly RepeatedProblem[] {
  const found = new Map<string, RepeatedProblem>();
  for (const problem of problems) {
    const { incident, source, db, lock, from, to } = problem;
    const key = JSON.stringify([incident, source, db, lock]);
    const known = found.get(key);
    const ms = millisBetween(redisTime(from), redisTime(to ?? Math.max(from, now)));
    found.set(key, {
      newest: known?.newest ?? problem,
      count: (known?.count ?? 0) + 1,
      ms: (known?.ms ?? 0) + ms,
      isOpen: (known?.isOpen ?? false) || to === null,
    });
  }
  return [...found.values()];
}
