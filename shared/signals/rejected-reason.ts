/** Why a line or a push of Redis could not be read. `head`, `words`: a part of a line that does not have its known form. */
export const REJECTED_REASONS = [
  'head',
  'words',
  /** Over 16 MB. */
  'line-too-long',
  /** Over 16 MB. */
  'push-too-long',
  'message-too-long',
  'names-too-long',
] as const;
export type RejectedReason = (typeof REJECTED_REASONS)[number];
