import type { LockEvent } from '../../shared/events/event.ts';
import { holderOf } from './story.ts';

/** `wokenBy` of a holder's last acquisition, and the types of the events that caused it. */
export function causeOf(events: readonly LockEvent[], actor: string) {
  const acquired = events.findLast((event) => event.type === 'lock.acquired' && event.holder === holderOf(actor));
  const because = acquired?.because?.map((seq) => events.find((event) => event.seq === seq)?.type);
  return { wokenBy: acquired && 'wokenBy' in acquired ? acquired.wokenBy : undefined, because };
}
