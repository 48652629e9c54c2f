export const BAD_LINE_REASONS = [
  'after-end',
  'other-recording',
  'too-long',
  'not-json',
  'not-object',
  'no-time',
  'not-signal',
  'not-end',
  /** The end line counts more signals than the file has: lines before it were removed. */
  'lines-missing',
  'not-monitor',
  'shortened',
  'no-call',
  /** The line belongs to a script that cannot have run as its lines show. */
  'no-run',
  'out-of-order',
] as const;
/** Why a line of a recording cannot be read. */
export type BadLineReason = (typeof BAD_LINE_REASONS)[number];
