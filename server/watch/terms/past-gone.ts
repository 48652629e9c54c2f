import type { Problem } from '../../../shared/wire/problems/problem.ts';

/** Thrown for a request about instants that memory no longer has, while the store that has them cannot be read. */
export class PastGone extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
