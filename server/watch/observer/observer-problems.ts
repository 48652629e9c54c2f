import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ValuesOf } from '../../../shared/wire/problems/values.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { MOST_FAILURES } from './restart-pause.ts';

/** The observer of a source does not answer, or has ended. */
export class ObserverGone extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Why an observer ended. `quote`: the exit code, or the error. */
export type EndOfObserver = Pick<ValuesOf<'observer-ended'>, 'cause' | 'quote'>;

const MOST = MOST_FAILURES - 1;

/** Why a request is not answered: the observer has ended, and the next one has not started yet. */
export function goneProblem(end: EndOfObserver): Problem {
  return problem('observer-ended', { ...end, next: 'soon', failures: 0, most: MOST });
}

/** Why a source is not observed, after this many failures in a row. */
export function endedProblem(end: EndOfObserver, failures: number, isStartedAgain: boolean): Problem {
  return problem('observer-ended', { ...end, next: isStartedAgain ? 'again' : 'never', failures, most: MOST });
}

/** A request took too long. */
export function lateProblem(withinMs: number): Problem {
  return problem('observer-busy', { seconds: withinMs / 1000 });
}

/** The observer could not answer a request. */
export function failedProblem(quote: string): Problem {
  return problem('observer-failed', { quote });
}

/** A source whose observer has not answered for `seconds`: what is shown about it is at least that old. */
export function silentSource(source: Source, seconds: number): Source {
  const silentMs = seconds * 1000;
  const silence = problem('observer-silent', { silentMs });
  return { ...source, status: 'reconnecting', lagMs: Math.max(source.lagMs, silentMs), problem: silence };
}
