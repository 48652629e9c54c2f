import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import type { Playable } from '../cursor/playing.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';

/** The problems of the opened recording, in the order of `inOrder`; undefined until they are read. */
export function useRecordedProblems(): readonly LoggedProblem[] | undefined {
  const all = useProblemLog();
  return all && inOrder(all);
}

/** The critical problems, then the others; both by `seq`, the order in which they were reported. */
export function inOrder(problems: readonly LoggedProblem[]): readonly LoggedProblem[] {
  const rank = ({ severity }: LoggedProblem) => (severity === 'critical' ? 0 : 1);
  return problems.toSorted((a, b) => rank(a) - rank(b) || a.seq - b.seq);
}

/** A tick on the bar: a problem, the instant at which it was reported, and how many others share the tick. */
type BarTick = { readonly at: RedisTime; readonly problem: LoggedProblem; readonly others: number };

/**
 * Problems within this part of the bar share a tick, counted from the first of them, so Tab passes at most 51 ticks.
 */
const APART = 1 / 50;

/**
 * The ticks of a bar, in order of time. Problems too close to each other share a tick, which has the name and the place
 * of the first critical problem, or of the first one if none is critical. Problems outside of the bar are left out.
 */
export function ticksOnBar(problems: readonly LoggedProblem[], { from, to }: Playable): readonly BarTick[] {
  const groups: LoggedProblem[][] = [];
  const known = problems.filter(({ reportedAt }) => reportedAt >= from && reportedAt <= to);
  for (const problem of known.toSorted((a, b) => a.reportedAt - b.reportedAt)) {
    const first = groups.at(-1)?.[0];
    if (first && problem.reportedAt - first.reportedAt < APART * (to - from)) groups.at(-1)?.push(problem);
    else groups.push([problem]);
  }
  return groups.map(tickOf);
}

function tickOf(problems: readonly LoggedProblem[]): BarTick {
  const [problem] = inOrder(problems) as [LoggedProblem];
  return { at: redisTime(problem.reportedAt), problem, others: problems.length - 1 };
}
