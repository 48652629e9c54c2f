import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockKind } from '../../../shared/events/types/lock-kind.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import { actorOf, type StageRun } from '../script/run.ts';
import type { CaptionsOfKind } from './caption-story.ts';
import { fairCaption } from './fair-captions.ts';
import { fencedCaption } from './fenced-captions.ts';
import type { KindCaption } from './kind-caption.ts';
import { latchCaption } from './latch-captions.ts';
import { permitCaption } from './permit-captions.ts';
import { readWriteCaption } from './read-write-captions.ts';
import { spinCaption } from './spin-captions.ts';

const BY_KIND: Partial<Record<LockKind, CaptionsOfKind>> = {
  'fair-lock': fairCaption,
  'read-write-lock': readWriteCaption,
  'fenced-lock': fencedCaption,
  'spin-lock': spinCaption,
  semaphore: permitCaption,
  'expirable-semaphore': permitCaption,
  latch: latchCaption,
};

/** The caption for this kind of lock; null: no caption; undefined: use the caption for any kind of lock. */
export function captionOfKind(
  run: StageRun,
  reported: MomentChange,
  bySeq: ReadonlyMap<number, LockEvent>,
): KindCaption | null | undefined {
  const { moment, before } = reported;
  // a fault of a process belongs to the current lock
  const kind = moment.kind === 'event' ? moment.event.kind : before.lock?.kind;
  const who = (holder: string) => actorOf(run, before.takers.get(holder) ?? holder).letter;
  return kind && BY_KIND[kind]?.({ run, reported, bySeq, who });
}
