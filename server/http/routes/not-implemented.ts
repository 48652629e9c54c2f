import { problem } from '../../../shared/wire/problems/problem.ts';
import { HttpProblem } from '../problem.ts';

/** A 404 for a documented feature that is not implemented yet. */
export function notThereYet(what: 'metrics'): HttpProblem {
  return new HttpProblem(404, problem('not-there-yet', { what }));
}
