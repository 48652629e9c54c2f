import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { SentProblem } from '../../../shared/wire/problems/problem-schema.ts';

/** Whether a body or an error of the socket is a problem of Lockscope, and not what a proxy answers in its place. */
export function isProblem(value: unknown): value is SentProblem {
  const { code, values, message, hint } = (value ?? {}) as Partial<Record<keyof SentProblem, unknown>>; // the code below checks each field
  const areTexts = [code, message, hint].every((text) => typeof text === 'string');
  return areTexts && typeof values === 'object' && values !== null;
}

/** Returns the problem as a union that a `switch` on its code narrows. The code may be unknown to this page. */
export function byCode(sent: SentProblem): Problem {
  return sent as Problem; // the server writes the values of each code, and has the version of this page
}
