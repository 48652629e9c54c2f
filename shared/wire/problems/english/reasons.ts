import type { BadLineReason } from '../../../recording/bad-line.ts';
import type { BlindReason } from '../../../signals/blind-reason.ts';

/** Why a range of time was not watched, in English. */
export const BLIND: Readonly<Record<BlindReason, string>> = {
  'connection-lost': 'connection lost',
  'level-changed': 'the level or the key events were changed',
  'master-changed': 'the master changed',
  'clock-set': 'the clock of Redis was set',
  'not-connected': 'not connected yet',
  'no-rights': 'the user may not read locks',
  'observer-ended': 'the observer ended',
  'not-running': 'Lockscope was not running',
  'not-stored': 'nothing could be stored',
  'recording-stopped': 'the recording was stopped',
  'script-too-long': 'a script ran more commands than Lockscope keeps',
  'line-lost': 'a line was lost',
  'no-script-lines': 'the lines of scripts are missing',
  dropped: 'dropped from memory',
  'watching-again': 'watching again',
  unknown: 'unknown reason',
};

/** Why a line of a recording cannot be read, in English. */
export const BAD_LINES: Readonly<Record<BadLineReason, string>> = {
  'after-end': 'it comes after the end',
  'other-recording': 'another recording begins there; open that one alone',
  'too-long': 'it is too long',
  'not-json': 'it is not JSON',
  'not-object': 'it is not an object',
  'no-time': '"at" is not a time',
  'not-signal': 'it is not a signal',
  'not-end': 'it is not an end line',
  'lines-missing': 'it counts more lines than are before it',
  'not-monitor': 'it is not a line of MONITOR',
  shortened: 'it was shortened',
  'no-call': 'the call of its script is missing before it, or is not whole',
  'no-run': 'the lines of its script do not fit: some are missing, or are of another server, or ids were replaced',
  'out-of-order': 'it is earlier than the line before it',
};
