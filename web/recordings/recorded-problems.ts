import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import type { Playable } from '../cursor/playing.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';

/** The problems of the opened recording: the critical ones first, each in order of time. */
export function useRecordedProblems(): readonly LoggedProblem[] | undefined {
  const all = useProblemLog();
  return all && inOrder(all);
}

/** The critical problems first, each in order of time. */
export function inOrder(problems: readonly LoggedProblem[]): readonly LoggedProblem[] {
  const rank = ({ severity }: LoggedProblem) => (severity === 'critical' ? 0 : 1);
  return problems.toSorted((a, b) => rank(a) - rank(b) || a.seq - b.seq);
}

/** A tick on the bar: the instant at which a problem was reported, and how many others share the tick. */
type BarTick = { readonly at: RedisTime; readonly problem: LoggedProblem; readonly others: number };

/** Ticks are at least this part of the bar apart, so that each can be chosen and Tab passes at most 51 of them. */
const APART = 1 / 50;

/**
 * The ticks of a bar, in order of time. Problems too close to each other share a tick: the first critical one names it.
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
