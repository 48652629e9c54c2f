import type { LockEvent } from '../../shared/events/event.ts';
import type { LockKind } from '../../shared/events/lock-kind.ts';
import { fairCaption } from './captions/fair-captions.ts';
import { fencedCaption } from './captions/fenced-captions.ts';
import { latchCaption } from './captions/latch-captions.ts';
import { permitCaption } from './captions/permit-captions.ts';
import { readWriteCaption } from './captions/read-write-captions.ts';
import { spinCaption } from './captions/spin-captions.ts';
import type { KindCaption } from './kind-caption.ts';
import type { Told } from './moments-from-run.ts';
import { actorOf, type StageRun } from './run.ts';

/** One moment of a run, and what captions look up. */
export type CaptionStory = {
  readonly run: StageRun;
  readonly told: Told;
  readonly bySeq: ReadonlyMap<number, LockEvent>;
  /** The letter of a holder, or of who took a permit. */
  readonly who: (holder: string) => string;
};

/** What one kind says of a moment; null: it lets the picture speak; undefined: what any lock says. */
export type CaptionsOfKind = (story: CaptionStory) => KindCaption | null | undefined;

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
  told: Told,
  bySeq: ReadonlyMap<number, LockEvent>,
): KindCaption | null | undefined {
  const { moment, before } = told;
  // what happened to a process is told of the lock that was looked at last
  const kind = moment.kind === 'event' ? moment.event.kind : before.lock?.kind;
  const who = (holder: string) => actorOf(run, before.takers.get(holder) ?? holder).letter;
  return kind && BY_KIND[kind]?.({ run, told, bySeq, who });
}
