import type { Incident, InsightValues } from './insight.ts';

/** How the values of an insight are written: by the page in its language and time zone, in JSON in English and UTC. */
export type Say = {
  /** A holder or waiter, by its id. */
  who(holder: string): string;
  /** An instant, in Redis time. */
  clock(at: number): string;
};

/** The sentences of one incident: what it is, what happened here, and what to do. */
export type InsightText<Values> = {
  readonly title: string;
  readonly explanation: (values: Values, say: Say) => string;
  readonly advice: (values: Values, say: Say) => string;
};

/** The sentences of the incidents of a theme in one language. */
export type WordsOf<ByIncident> = { readonly [I in keyof ByIncident]: InsightText<ByIncident[I]> };

/** The sentences of every incident in one language. */
export type InsightWords = WordsOf<InsightValues>;

/** The three texts of an insight. */
export function textsOf(
  words: InsightWords,
  { incident, values }: { [I in Incident]: { incident: I; values: InsightValues[I] } }[Incident],
  say: Say,
): { title: string; explanation: string; advice: string } {
  // The words and the values are of the same incident, which the type of a lookup does not show.
  const text = words[incident] as InsightText<InsightValues[Incident]>;
  const all = values as InsightValues[Incident] & Parameters<typeof text.explanation>[0];
  return { title: text.title, explanation: text.explanation(all, say), advice: text.advice(all, say) };
}
