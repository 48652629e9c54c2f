import type { Problem } from '../../shared/wire/problems/problem.ts';

/** A request about recordings that is refused. */
export class StoreProblem extends Error {
  readonly status: 404 | 409 | 413 | 507;
  readonly problem: Problem;

  constructor(status: StoreProblem['status'], why: Problem) {
    super(why.message);
    this.status = status;
    this.problem = why;
  }
}

/** Whether a file could not be written because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
