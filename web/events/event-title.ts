import type { LockEvent } from '../../shared/events/event.ts';
import type { Words } from '../words/words.ts';

/**
 * What happened, in a word or two. If it was not seen whether a hold was released or deleted, the words leave that
 * open.
 */
export function eventTitle(event: LockEvent, { events }: Words): string {
  if (event.type === 'lock.released' && event.how === 'unknown') return events.noLongerHeld;
  return events.type[event.type];
}
