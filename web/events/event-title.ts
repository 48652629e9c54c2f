import type { LockEvent } from '../../shared/events/event.ts';
import type { Words } from '../words/words.ts';

/**
 * What happened, in a word or two. If a hold may have been released or deleted, the words are "no longer held", in the
 * language of the page.
 */
export function eventTitle(event: LockEvent, { events }: Words): string {
  if (event.type === 'lock.released' && event.how === 'unknown') return events.noLongerHeld;
  return events.type[event.type];
}
