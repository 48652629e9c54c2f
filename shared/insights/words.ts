/** How the values of an insight are written: by the page in its language and time zone, in JSON in English and UTC. */
export type Say = {
  /** A holder or waiter, by its id. */
  who(holder: string): string;
  /** An instant, in Redis time. */
  clock(at: number): string;
};

/** The sentences of one incident. */
type InsightText<Values> = {
  readonly title: string;
  /** What happened here. */
  readonly explanation: (values: Values, say: Say) => string;
  /** What to do now. */
  readonly advice: (values: Values, say: Say) => string;
  /** What prevents another such incident. Absent: the advice itself prevents the next one. */
  readonly later?: (values: Values, say: Say) => string;
};

/** The sentences of one insight. */
export type WrittenInsight = {
  readonly title: string;
  readonly explanation: string;
  readonly advice: string;
  readonly later?: string | undefined;
};

/** The sentences of the incidents of a theme in one language. */
export type WordsOf<ByIncident> = { readonly [I in keyof ByIncident]: InsightText<ByIncident[I]> };

/** The texts of an insight. */
export function textsOf<ByIncident>(
  words: WordsOf<ByIncident>,
  { incident, values }: { [I in keyof ByIncident]: { incident: I; values: ByIncident[I] } }[keyof ByIncident],
  say: Say,
): WrittenInsight {
  const text = words[incident] as InsightText<typeof values>; // the words and the values are of the same incident
  return {
    ...{ title: text.title, explanation: text.explanation(values, say), advice: text.advice(values, say) },
    ...(text.later && { later: text.later(values, say) }),
  };
}
