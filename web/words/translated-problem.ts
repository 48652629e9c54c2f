import { knownProblem } from '../../shared/wire/problems/known-problem.ts';
import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import type { ProblemCode, ProblemText, TextsOf } from '../../shared/wire/problems/values.ts';
import type { Translated } from './translated.ts';

/** The text of a problem in a language; undefined if the language lacks it, or if this page does not know the problem. */
export function translatedProblem(texts: Translated<TextsOf<ProblemCode>>, sent: SentProblem): ProblemText | undefined {
  const known = knownProblem(sent);
  if (!known) return undefined;
  const text = texts[known.code] as ((values: unknown) => ProblemText) | undefined; // the values were checked for this code
  return text?.(known.values);
}
