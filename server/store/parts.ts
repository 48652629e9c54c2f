import type { EventType, LockEvent } from '../../shared/events/event.ts';
import type { BlockRow, CheckpointRow, Reach, RunRow, Until } from './tables.ts';

/** Rows as they were read from a bus. */
export type PackedRows = { readonly blocks: readonly BlockRow[]; readonly checkpoints: readonly CheckpointRow[] };

/** Rows that are written together, in one transaction. The store compresses texts. */
export type Batch = {
  readonly runs: readonly RunRow[];
  readonly blocks: readonly BlockText[];
  readonly checkpoints: readonly CheckpointText[];
  /** Blocks and checkpoints that are compressed already. */
  readonly packed?: PackedRows;
  /** The sources that are watched, if they have changed. */
  readonly sources?: readonly KnownSource[] | undefined;
  /** Until when nothing further happened in this run. */
  readonly until?: Until | undefined;
};

/** Whole lines (`stream-lines.ts`), and where they are. */
export type BlockText = Omit<BlockRow, 'bytes'> & { readonly text: string };

/** A state (`standing-lines.ts`), and where it is. */
export type CheckpointText = Omit<CheckpointRow, 'bytes'> & { readonly text: string };

/** A source that is stored. */
export type KnownSource = { readonly id: string; readonly url: string };

/**
 * A part of a stream, as it is read. The parts are in order:
 *
 *   run · checkpoint · block · block · run · block …          end: nothing more is stored
 */
export type Part =
  | ({ readonly kind: 'run'; readonly endOfBefore: number | undefined } & Pick<RunRow, 'gap' | 'beganAt'>)
  | { readonly kind: 'checkpoint'; readonly at: number; readonly text: string }
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'end'; readonly at: number };

/** Which part of the store is read. `most`: the most lines. */
export type RangeQuery = { readonly source: string; readonly from: number; readonly to: number; readonly most: number };

/** `from`: from when on the state is known; `to`: until when the stream was read. */
export type StoredRange = {
  readonly parts: readonly Part[];
  readonly from: number;
  readonly to: number;
  /** The range begins with the state after this line. Absent: it begins with a run. */
  readonly after?: { readonly run: number; readonly seq: number };
};

/**
 * Which events before a range are requested, since an instant: those of `types`; those of `beside` if they are of the
 * same locks; and both for further `locks` (ids). `most`: the most lines to look at.
 */
export type BackQuery = NonNullable<StoredRange['after']> & {
  readonly source: string;
  readonly since: number;
  readonly most: number;
  readonly types: readonly EventType[];
  readonly beside: readonly EventType[];
  readonly locks: readonly string[];
};

/** The requested events, in order. Events before `from` are not known. */
export type StoredBack = { readonly from: number; readonly events: readonly LockEvent[] };

/** The size of a store, how far it reaches, and the sources that were written last. */
export type StoreFacts = {
  readonly bytes: number;
  readonly reach: readonly Reach[];
  readonly sources: readonly KnownSource[];
};
