/** The help about one incident. It is loaded only with the page of the help. */
export type HelpText = {
  readonly what: string;
  readonly why: string;
  /** How the incident shows in Redis. */
  readonly shows: string;
  readonly prevent: string;
  readonly now: string;
  /** The versions that are known to have the incident, or not to have it. Absent: it depends on no version. */
  readonly versions?: string;
};
