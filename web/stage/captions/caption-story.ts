import type { LockEvent } from '../../../shared/events/event.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import type { StageRun } from '../script/run.ts';
import type { KindCaption } from './kind-caption.ts';

/** One moment of a run, and what its caption may need. */
export type CaptionStory = {
  readonly run: StageRun;
  readonly reported: MomentChange;
  readonly bySeq: ReadonlyMap<number, LockEvent>;
  /** The letter of a holder, or of the client that took a permit. */
  readonly who: (holder: string) => string;
};

/** The caption of one kind of lock; null: no caption; undefined: the caption for any lock. */
export type CaptionsOfKind = (story: CaptionStory) => KindCaption | null | undefined;
