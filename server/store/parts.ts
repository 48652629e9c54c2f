import type { Gap } from './tables.ts';

/** What is written together, in one transaction. Texts are compressed by the store. */
export type Batch = {
  readonly runs: readonly { source: string; run: number; beganAt: number; gap: Gap; header: string }[];
  readonly blocks: readonly BlockText[];
  readonly checkpoints: readonly CheckpointText[];
};

export type BlockText = {
  readonly source: string;
  readonly run: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly fromAt: number;
  readonly toAt: number;
  readonly nextEvent: number;
  readonly text: string;
};

/** `beliefs`: what the interpreter believed, as lines of a recording. `state`: what the main thread knew (`checkpoint-state.ts`). */
export type CheckpointText = {
  readonly source: string;
  readonly run: number;
  readonly seq: number;
  readonly at: number;
  readonly nextEvent: number;
  readonly beliefs: string;
  readonly state: string;
};

/**
 * What is read of one source, in order:
 *
 *   run · checkpoint (early) · block · block · checkpoint · block · block · run · block …
 *         └ the interpreter begins here        └ the state begins here
 */
export type Part =
  | { readonly kind: 'run'; readonly header: string; readonly gap: Gap; readonly endOfBefore: number | undefined }
  | {
      readonly kind: 'checkpoint';
      readonly at: number;
      readonly nextEvent: number;
      readonly beliefs: string;
      readonly state: string;
      /** Only the interpreter needs it: events before the next checkpoint are not shown. */
      readonly isEarly: boolean;
    }
  | { readonly kind: 'block'; readonly fromAt: number; readonly toAt: number; readonly text: string }
  /** Nothing more is stored of this run: Lockscope ended then. */
  | { readonly kind: 'end'; readonly at: number };

/** Which part of the store is read. */
export type RangeQuery = {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** The most signals that are read. */
  readonly most: number;
};

/** `from`: from when on the state is known; `to`: until when it was read. */
export type StoredRange = { readonly parts: readonly Part[]; readonly from: number; readonly to: number };

/** The size of a store, and how far it reaches. */
export type StoreFacts = {
  readonly bytes: number;
  readonly sources: readonly { readonly source: string; readonly from: number; readonly to: number }[];
  readonly nextEvent: number;
};
