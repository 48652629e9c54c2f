import type { Problem } from '../../shared/wire/problems/problem.ts';

/** A request about thread dumps that cannot be answered. `field`: the part of it that is wrong. */
export class DumpProblem extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly field?: string,
  ) {
    super(problem.message);
  }
}
