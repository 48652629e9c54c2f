import type { EventType, LockEvent } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

export type EventOf<Type extends EventType> = OfType<LockEvent, Type>;
type OfType<Event, Type> = Event extends { readonly type: infer Own } ? (Type extends Own ? Event : never) : never;

/** One function per event type: it returns the lock after the event, given the lock before it. */
export type Rules<Type extends EventType> = {
  readonly [Each in Type]: (lock: LockState, event: EventOf<Each>) => LockState;
};
