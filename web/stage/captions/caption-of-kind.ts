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

/** What is said of a moment that only this kind of lock has; undefined: what is said of any lock. */
export function captionOfKind(
  run: StageRun,
  told: MomentChange,
  bySeq: ReadonlyMap<number, LockEvent>,
): KindCaption | null | undefined {
  const { moment, before } = told;
  // what happened to a process is told of the lock that was looked at last
  const kind = moment.kind === 'event' ? moment.event.kind : before.lock?.kind;
  const who = (holder: string) => actorOf(run, before.takers.get(holder) ?? holder).letter;
  return kind && BY_KIND[kind]?.({ run, told, bySeq, who });
}
