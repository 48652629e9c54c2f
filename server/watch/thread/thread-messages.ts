import type { SourceBeat } from '../source/source-lag.ts';
import type { FromWorker, SourceOptions, ToWorker } from '../source/worker-messages.ts';

/** `source`: the number that the thread knows a source by. */
export type ToThread =
  /** The thread answers it at once. */
  | { readonly type: 'beat' }
  | { readonly type: 'begin'; readonly source: number; readonly options: SourceOptions }
  | { readonly type: 'to'; readonly source: number; readonly message: ToWorker };

export type FromThread =
  | { readonly type: 'beat' }
  /** The newest beat of each of several sources. All that a source heard before its beat was posted before. */
  | { readonly type: 'beats'; readonly beats: readonly (readonly [source: number, beat: SourceBeat])[] }
  | { readonly type: 'from'; readonly source: number; readonly message: Exclude<FromWorker, { type: 'source-beat' }> };
