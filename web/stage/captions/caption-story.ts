import type { LockEvent } from '../../../shared/events/event.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import type { StageRun } from '../script/run.ts';
import type { KindCaption } from './kind-caption.ts';

/** One moment of a run, and what captions look up. */
export type CaptionStory = {
  readonly run: StageRun;
  readonly told: MomentChange;
  readonly bySeq: ReadonlyMap<number, LockEvent>;
  /** The letter of a holder, or of who took a permit. */
  readonly who: (holder: string) => string;
};

/** What one kind says of a moment; null: it lets the picture speak; undefined: what any lock says. */
export type CaptionsOfKind = (story: CaptionStory) => KindCaption | null | undefined;
