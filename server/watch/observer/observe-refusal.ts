import type { Problem } from '../../redis/problem-type.ts';

/** A level that this server or user does not allow, with the way to allow it. */
export class ObserveRefusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
