import type { WaiterState } from '../state/lock-state.ts';
import type { ClientSight } from './detector.ts';

/** Whether a waiter is dead: it did not retry when a live one would have, or its client has no connection left. */
export function isDeadWaiter(
  { presumedGoneAt }: Pick<WaiterState, 'presumedGoneAt'>,
  presence: ClientSight['presence'],
): boolean {
  return presumedGoneAt !== null || presence === 'gone';
}
