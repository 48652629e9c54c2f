import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import type { ProblemCode, ProblemText, TextsOf } from '../../shared/wire/problems/values.ts';
import type { Translated } from './translated.ts';

/** The text of a problem by the texts of a language; undefined if these lack it. */
export function translatedProblem(
  texts: Translated<TextsOf<ProblemCode>>,
  { code, values }: SentProblem,
): ProblemText | undefined {
  if (!Object.hasOwn(texts, code)) return undefined;
  const text = texts[code as ProblemCode] as ((values: unknown) => ProblemText) | undefined; // these are the values of this code
  return text?.(values);
}
