import { BAD_LINES, BLIND } from '../../../shared/wire/problems/english/reasons.ts';
import { grantText } from '../../../shared/wire/problems/english/redis.ts';
import type { SentProblem } from '../../../shared/wire/problems/problem-schema.ts';
import type { ProblemText } from '../../../shared/wire/problems/values.ts';

/** Problems, limits and reasons. The server writes its English with the same texts. */
export const problems = {
  silent: 'The Lockscope server does not answer.',
  silentHint: 'Check that it is still running.',
  unreadable: (path: string) => `Unexpected response from ${path}.`,
  status: (status: number) => `The server responded with status ${status}.`,
  reloadHint: 'Reload this page: it may be older than the server.',
  overBudgetHint: 'That is too much to start it without asking. Switch it on anyway for 30 s?',
  /** The end of the text about a missing right, which the page shows on its own line. */
  toAllow: grantText,
  watchedInstead: (message: string, level: string) => `${message} Watching at level ${level} instead.`,
  /** Why a range of time was not watched. */
  blind: BLIND,
  /** Why a line of a recording cannot be read. */
  badLine: BAD_LINES,
  /** The text of a problem of the server; undefined: as the server wrote it, which is English. */
  textOf: (_sent: SentProblem): ProblemText | undefined => undefined,
};
