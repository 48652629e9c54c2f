import type { RecordedSignal } from '../../shared/recording/format.ts';
import type { LostLine } from '../../shared/signals/signal.ts';
import type { FileFacts, FileLimits, OpenError } from './read-file.ts';

/** What the thread that reads a file is started with. */
export type ReadTask = { readonly path: string; readonly limits: FileLimits | undefined };

/**
 * The messages of the thread: the signals of one piece of the file, and at the end that all of it is read, or the
 * fault.
 */
export type FromReader =
  | {
      readonly type: 'signals' | 'end';
      readonly signals: readonly (RecordedSignal | LostLine)[];
      readonly facts: FileFacts;
    }
  | { readonly type: 'fault'; readonly problem: OpenError['problem'] };

/**
 * Reports to the thread that one of its posts has been processed. While `MOST_AHEAD` posts are not processed, the
 * thread waits.
 */
export const MORE = 'more';
export const MOST_AHEAD = 4;
