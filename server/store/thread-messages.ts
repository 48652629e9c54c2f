import type { LockHours } from '../../shared/wire/lock-hours.ts';
import type { DatabaseFault } from './database.ts';
import type { BackQuery, Batch, RangeQuery, StoredBack, StoredRange, StoreFacts } from './parts.ts';
import type { HourQuery } from './statistics/hour-costs.ts';
import type { LockHoursQuery } from './statistics/lock-hours.ts';
import type { HourAnswer, StoreOptions } from './store-core.ts';

/** What the thread of a store is started with. */
export type StoreTask = StoreOptions & {
  /** The file, or the URL of a database with its password: only `shownStore` of it may be shown. */
  readonly path: string;
  /** Lines between two checkpoints; absent: 25,000. */
  readonly checkpointEvery?: number;
};

export type Question =
  | { readonly ask: 'write'; readonly batch: Batch }
  | { readonly ask: 'read'; readonly query: RangeQuery }
  | { readonly ask: 'read-back'; readonly query: BackQuery }
  | { readonly ask: 'time-of-event'; readonly seq: number; readonly source: string }
  | { readonly ask: 'costs'; readonly query: HourQuery }
  | { readonly ask: 'lock-hours'; readonly query: LockHoursQuery }
  | { readonly ask: 'facts' }
  | { readonly ask: 'close' };

/** The answer to each request. */
export type Answers = {
  readonly write: undefined;
  readonly read: StoredRange | undefined;
  readonly 'read-back': StoredBack;
  readonly 'time-of-event': number | undefined;
  readonly costs: HourAnswer;
  readonly 'lock-hours': LockHours;
  readonly facts: StoreFacts;
  readonly close: undefined;
};

export type ToStore = { readonly request: number; readonly question: Question };

export type FromStore =
  /** The store is open, or why it is not. */
  | { readonly type: 'opened'; readonly refusal: string | null }
  | { readonly type: 'answer'; readonly request: number; readonly answer: Answers[keyof Answers] }
  | { readonly type: 'fault'; readonly request: number; readonly fault: DatabaseFault; readonly quote: string };
