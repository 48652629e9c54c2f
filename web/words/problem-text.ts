import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import type { ProblemText } from '../../shared/wire/problems/values.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Words } from './words.ts';

/** The text of a problem of the server, in the language of `words`; in the server's English if its code is unknown. */
export function problemText({ problems }: Words, sent: SentProblem): ProblemText {
  return problems.textOf(sent) ?? sent;
}

/** The sentence that a source is watched at another level than the user asked for, and why. */
export function insteadText(
  words: Words,
  sent: SentProblem,
  { level, nextLevel }: Pick<Source, 'level' | 'nextLevel'>,
) {
  return words.problems.watchedInstead(problemText(words, sent).message, nextLevel ?? level);
}
