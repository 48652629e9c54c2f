import type { LockEvent } from '../../shared/events/event.ts';
import type { Hold } from '../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../shared/spans/wait.ts';
import type { LockPlace, SpanPlace } from './span-place.ts';

/** A hold or wait that has ended, or whose end was not seen. */
export type EndedSpan = {
  readonly of: LockPlace;
  readonly place: NonNullable<SpanPlace>;
  /** Only of a hold: the wait before it. */
  readonly parent?: SpanPlace | undefined;
  /** The event at which it began; absent if that was not seen. */
  readonly begin?: LockEvent | undefined;
  readonly end: LockEvent;
  /** What happened in it, the oldest first. */
  readonly notes: readonly LockEvent[];
  readonly droppedNotes: number;
  /** The holds whose release sent the messages that woke this waiter. */
  readonly wokenBy: readonly NonNullable<SpanPlace>[];
  /** Further such holds, without a link. A hold is counted each time that it woke this waiter again. */
  readonly droppedLinks: number;
} & (
  | { readonly what: 'hold'; readonly span: Hold; readonly renewals: number }
  | { readonly what: 'wait'; readonly span: Wait }
);

export type SpanListener = {
  /** Whether another trace may be exported now. If so, it is counted as exported. */
  isSampled(): boolean;
  /** Whether no other trace may be exported now. */
  isFull(): boolean;
  ended(span: EndedSpan): void;
  /** A hold or wait ended, or a hold began, that is not exported because there are too many traces. */
  skipped(): void;
  /** Holds and waits are no longer followed: too many are open, or their lock was dropped from memory. */
  dropped(count: number): void;
};

/** The notes that may still be kept, by all locks together. */
export type Room = { left: number };
