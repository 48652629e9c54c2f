import type { Words } from './words.ts';

/** What the server told, with the code it gave it. */
export type ServerProblem = { readonly code: string; readonly message: string; readonly hint: string };

/** A problem of the server in the language of `words`; what it has no words for stays as it came. */
export function problemText({ problems }: Words, problem: ServerProblem): { message: string; hint: string } {
  const where = /\b(?:rediss?(?:\+\w+)?|unix):\/\/\S*[^\s,.:]/.exec(problem.message)?.[0] ?? '';
  return problems.byCode[problem.code]?.(problem, where) ?? problem;
}

/** A sentence of the server in the language of `words`; what it has no words for stays as it came. */
export function sentenceText({ problems }: Words, sentence: string): string {
  const known = problems.bySentence[sentence];
  if (known !== undefined) return known;
  for (const { pattern, say } of problems.byPattern) {
    const found = pattern.exec(sentence);
    if (found) return say(...found.slice(1));
  }
  return sentence;
}
