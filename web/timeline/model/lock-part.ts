import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';

/** One lock in the history: how it was at the left edge (absent: not known there), and its events since. */
export type LockPart = { readonly base: LockState | undefined; readonly events: readonly LockEvent[] };
