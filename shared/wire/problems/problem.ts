import { ENGLISH } from './english/all.ts';
import type { ProblemCode, ProblemText, ValuesOf } from './values.ts';

/**
 * A problem, limit or reason as a server reports it: for pages a code with values, for readers of JSON also in English.
 */
export type ProblemOf<C extends ProblemCode> = { readonly code: C; readonly values: ValuesOf<C> } & ProblemText;
/** Any problem. Its `code` decides which values it has. */
export type Problem = { [C in ProblemCode]: ProblemOf<C> }[ProblemCode];

/** Why a source is watched at a lower level than requested, in English. */
export function watchedInstead({ message }: Problem, level: string): string {
  return `${message} Watching at level ${level} instead.`;
}

/** The problem with this code, and its English text. */
export function problem<C extends ProblemCode>(
  code: C,
  ...[values]: Record<string, never> extends ValuesOf<C> ? [values?: ValuesOf<C>] : [values: ValuesOf<C>]
): Extract<Problem, { code: C }> {
  const given = (values ?? {}) as ValuesOf<C>; // left out only where no value is required
  const { message, hint } = ENGLISH[code](given);
  return { code, values: given, message, hint } as Extract<Problem, { code: C }>; // the values belong to this code
}
