import type { Hold } from './holds-from-events.ts';
import type { Wait } from './wait.ts';

const HOLD_ENDS_UNSEEN: ReadonlySet<Hold['ended']> = new Set(['unseen', 'lost', 'moved']);
const WAIT_ENDS_UNSEEN: ReadonlySet<Wait['ended']> = new Set(['unseen', 'presumed-gone']);

/** Whether a hold was seen from beginning to end. The length of any other hold is not known. */
export function isWholeHold({ ended, isOpenStart }: Hold): boolean {
  return !isOpenStart && ended !== null && !HOLD_ENDS_UNSEEN.has(ended);
}

/** Whether a wait was seen from beginning to end. The length of any other wait is not known. */
export function isWholeWait({ ended, isOpenStart }: Wait): boolean {
  return !isOpenStart && ended !== null && !WAIT_ENDS_UNSEEN.has(ended);
}
