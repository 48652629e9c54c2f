import type { LockEvent } from '../../../shared/events/event.ts';
import { soon } from '../../redis/connection/surroundings.ts';
import type { FromWorker } from './worker-messages.ts';

/** A batch of this many events is posted at once. */
const MOST = 5000;

/**
 * Posts the events of one read together: a message between threads costs more than the events in it. They are posted
 * when all that was read is processed, or before any other message, so the order is kept.
 */
export function batchedPost(post: (message: FromWorker) => void): (message: FromWorker) => void {
  let events: LockEvent[] = [];
  let isDue = false;
  const flush = () => {
    if (events.length === 0) return;
    const batch = events;
    events = [];
    post({ type: 'events', events: batch });
  };
  return (message) => {
    if (message.type !== 'events') {
      flush();
      post(message);
      return;
    }
    for (const event of message.events) events.push(event);
    if (events.length >= MOST) flush();
    else if (!isDue) {
      isDue = true;
      soon(() => {
        isDue = false;
        flush();
      });
    }
  };
}
