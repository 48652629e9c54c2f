import type { Source } from '../../../shared/wire/source.ts';
import type { Problem } from '../../redis/problem-type.ts';
import { MOST_FAILURES } from './restart-pause.ts';

/** The observer of a source does not answer, or has ended. */
export class ObserverGone extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Why a question is not answered: the observer has ended, and the next one is still to start. */
export function goneProblem(reason: string): Problem {
  return {
    code: 'observer-ended',
    message: `The observer of this source ended: ${reason}.`,
    hint: 'Lockscope starts it again by itself. Ask again in a few seconds.',
  };
}

/** Why a source is not observed, after this many failures in a row. */
export function endedProblem(reason: string, failures: number, isStartedAgain: boolean): Problem {
  return {
    code: 'observer-ended',
    message: `The observer of this source ended: ${reason}.`,
    hint: isStartedAgain
      ? `Lockscope starts it again by itself (${failures} of ${MOST_FAILURES - 1}), and reads all locks again.`
      : 'Lockscope no longer starts it. Start Lockscope again, and report this.',
  };
}

/** A question took too long. */
export function lateProblem(withinMs: number): Problem {
  return {
    code: 'observer-busy',
    message: `The observer of this source did not answer within ${withinMs / 1000} s.`,
    hint: 'Ask again later, or for less.',
  };
}

/** The observer could not answer a question. */
export function failedProblem(reason: string): Problem {
  return {
    code: 'observer-failed',
    message: `The observer of this source could not answer: ${reason}.`,
    hint: 'Please report this.',
  };
}

/** A source whose observer has not answered for `seconds`: what is shown about it is at least that old. */
export function silentSource(source: Source, seconds: number): Source {
  const problem = {
    code: 'observer-silent',
    message: `The observer of this source has not answered for ${seconds} s.`,
    hint: 'After a minute Lockscope ends the observer and starts it again.',
    values: { silentMs: seconds * 1000 },
  };
  return { ...source, status: 'reconnecting', lagMs: Math.max(source.lagMs, seconds * 1000), problem };
}
