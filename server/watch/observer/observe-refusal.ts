import type { Problem } from '../../../shared/wire/problems/problem.ts';

/** Thrown for a level that this server or user does not allow. The problem contains how to allow it. */
export class ObserveRefusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
