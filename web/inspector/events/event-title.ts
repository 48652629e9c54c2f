import type { LockEvent } from '../../../shared/events/event.ts';
import type { Words } from '../../words/words.ts';

/** What happened, in a word or two. A hold that was released or deleted, which was not seen, is not called released. */
export function eventTitle(event: LockEvent, { events }: Words): string {
  if (event.type === 'lock.released' && event.how === 'unknown') return events.noLongerHeld;
  return events.type[event.type];
}
