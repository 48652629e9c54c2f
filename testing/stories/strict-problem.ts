import { ENGLISH } from '../../shared/wire/problems/english/all.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import { problemSchema } from '../../shared/wire/problems/problem-schema.ts';
import { PROBLEM_VALUES, type ProblemCode } from '../../shared/wire/problems/values.ts';

/**
 * The problem in an answer, checked strictly: its code is in the list, its values are exactly those of the code, and
 * its English is that of the catalogue. Throws otherwise.
 */
export function strictProblem(sent: unknown): Problem {
  const { code, values, message, hint } = problemSchema.parse(sent);
  if (!Object.hasOwn(PROBLEM_VALUES, code)) throw new Error(`"${code}" is not in the list of problem codes`);
  const known = code as ProblemCode; // the code above checked it
  const exact = PROBLEM_VALUES[known].strict().parse(values);
  const write = ENGLISH[known] as (given: unknown) => { message: string; hint: string }; // the values belong to this code
  const text = write(exact);
  if (text.message !== message || text.hint !== hint) throw new Error(`${code} has other English: ${message} ${hint}`);
  return { code, values, message, hint } as Problem; // the code above checked it
}

/** Every problem in an answer, at any depth, checked by `strictProblem`. */
export function problemsIn(answer: unknown): Problem[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('code' in answer && 'hint' in answer) return [strictProblem(answer)];
  return Object.values(answer).flatMap(problemsIn);
}
