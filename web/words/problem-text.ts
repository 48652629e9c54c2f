import type { Words } from './words.ts';

/** A problem from the server. */
export type ServerProblem = { readonly code: string; readonly message: string; readonly hint: string };

/** Translates a problem of the server into the language of `words`. Returns it unchanged if there is no translation. */
export function problemText({ problems }: Words, problem: ServerProblem): { message: string; hint: string } {
  const where = /\b(?:rediss?(?:\+\w+)?|unix):\/\/\S*[^\s,.:]/.exec(problem.message)?.[0] ?? '';
  return problems.byCode[problem.code]?.(problem, where) ?? problem;
}

/** Translates a sentence of the server into the language of `words`. Returns it unchanged if it is unknown. */
export function sentenceText({ problems }: Words, sentence: string): string {
  const known = problems.bySentence[sentence];
  if (known !== undefined) return known;
  for (const { pattern, say } of problems.byPattern) {
    const found = pattern.exec(sentence);
    if (found) return say(...found.slice(1));
  }
  return sentence;
}
