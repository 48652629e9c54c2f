import { z } from 'zod';
import type { Problem } from './problem.ts';
import { PROBLEM_VALUES, type ProblemCode } from './values.ts';

/** A problem in JSON. Pages accept codes they do not know: a newer server may send them, and then they show its English. */
export const problemSchema = z.object({
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  message: z.string(),
  hint: z.string(),
});
export type SentProblem = z.infer<typeof problemSchema>;

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
