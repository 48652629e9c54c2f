/** A level that this server or user does not allow, with the way to allow it. */
export class ObserveRefusal extends Error {
  readonly problem: { code: string; message: string; hint: string };

  constructor(problem: { code: string; message: string; hint: string }) {
    super(problem.message);
    this.problem = problem;
  }
}
