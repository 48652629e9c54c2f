/** A problem between us and Redis in one sentence, and what to do about it. */
export type Problem = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** The figures in the message. */
  readonly values?: Readonly<Record<string, number>>;
};
