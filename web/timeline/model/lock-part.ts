import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';

/** One lock in the history: its state at the left edge (undefined: not known there), and its events since. */
export type LockPart = { readonly base: LockState | undefined; readonly events: readonly LockEvent[] };
