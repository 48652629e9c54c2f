import type { Problem } from './problem.ts';
import type { SentProblem } from './problem-schema.ts';
import { PROBLEM_VALUES, type ProblemCode } from './values.ts';

/** The problem with its values checked; `undefined` if this version does not know the code or its values. */
export function knownProblem(sent: SentProblem): Problem | undefined {
  const { code, values, message, hint } = sent;
  if (!isProblemCode(code)) return undefined;
  const checked = PROBLEM_VALUES[code].safeParse(values);
  return checked.success ? ({ code, values: checked.data, message, hint } as Problem) : undefined; // checked for this code
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEM_VALUES, code);
}
