/** Why watching stopped, or why it began again. */
export const BLIND_REASONS = [
  'connection-lost',
  /** Another level, or other key events, need another connection. */
  'level-changed',
  'master-changed',
  'clock-set',
  'not-connected',
  /** The user lacks rights that reading needs. */
  'no-rights',
  'observer-ended',
  /** Lockscope was not running. */
  'not-running',
  /** Lockscope was running, but could not write to its store. */
  'not-stored',
  'recording-stopped',
  /** A script ran more commands than Lockscope keeps. */
  'script-too-long',
  'line-lost',
  /** The text of MONITOR has no lines of scripts. */
  'no-script-lines',
  /** What happened before has been dropped from memory. */
  'dropped',
  'watching-again',
  /** A recording of another version names a reason that this version does not know. */
  'unknown',
] as const;
export type BlindReason = (typeof BLIND_REASONS)[number];

/** Names of reasons that differ in recordings of earlier versions. */
const EARLIER_NAMES: Readonly<Record<string, BlindReason>> = {
  'connection lost': 'connection-lost',
  'not connected yet': 'not-connected',
  'observer ended': 'observer-ended',
  'the recording was stopped': 'recording-stopped',
  'a script ran more commands than Lockscope keeps': 'script-too-long',
  'a line was lost': 'line-lost',
  'watching again': 'watching-again',
};

/** The reason that a recording names. */
export function blindReasonOf(recorded: string): BlindReason {
  return BLIND_REASONS.find((reason) => reason === recorded) ?? EARLIER_NAMES[recorded] ?? 'unknown';
}
