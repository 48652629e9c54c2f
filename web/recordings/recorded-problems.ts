import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
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
