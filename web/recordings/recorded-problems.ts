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

/** Ticks are at least this part of the bar apart, so Tab passes at most 51 of them. */
const APART = 1 / 50;

/**
 * The ticks of a bar, in order of time. Problems too close to each other share a tick, which has the name and the place
 * of the first critical problem, or of the first one if none is critical. Problems outside of the bar are left out.
 */
export function ticksOnBar(problems: readonly LoggedProblem[], { from, to }: Playable): readonly BarTick[] {
  const ticks: BarTick[] = [];
  const known = problems.filter(({ reportedAt }) => reportedAt >= from && reportedAt <= to);
  for (const problem of known.toSorted((a, b) => a.reportedAt - b.reportedAt)) {
    let tick: BarTick = { at: redisTime(problem.reportedAt), problem, others: 0 };
    // a shared tick may be at another place, so it is compared with the tick before it again
    for (let last = ticks.at(-1); last && tick.at - last.at < APART * (to - from); last = ticks.at(-1)) {
      ticks.pop();
      tick = sharedTick(last, tick);
    }
    ticks.push(tick);
  }
  return ticks;
}

function sharedTick(a: BarTick, b: BarTick): BarTick {
  const [problem] = inOrder([a.problem, b.problem]) as [LoggedProblem];
  return { at: redisTime(problem.reportedAt), problem, others: a.others + b.others + 1 };
}
