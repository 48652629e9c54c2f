/** The help about one incident. Loaded with the page of help only. */
export type HelpText = {
  readonly what: string;
  readonly why: string;
  /** How it shows in Redis. */
  readonly shows: string;
  readonly prevent: string;
  readonly now: string;
  /** The versions that are known to have it, or not to have it. Absent: it depends on no version. */
  readonly versions?: string;
};
