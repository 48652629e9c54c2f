import type { EventOf, EventType } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

/** One function per event type: it returns the lock after the event, given the lock before it. */
export type Rules<Type extends EventType> = {
  readonly [Each in Type]: (lock: LockState, event: EventOf<Each>) => LockState;
};
