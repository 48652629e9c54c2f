import { millisBetween } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { CaptionStory, CaptionsOfKind } from './caption-story.ts';
import type { KindCaption } from './kind-caption.ts';

/** Captions of semaphores: how many permits are taken or released, and how many are free after that. */
export const permitCaption: CaptionsOfKind = (story) => {
  const { moment, before } = story.reported;
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  const { who } = story;
  switch (event.type) {
    case 'permits.set':
      if (event.holder === undefined || event.total === undefined || event.changedBy !== undefined) return null;
      return { is: 'permits-set', who: who(event.holder), total: event.total };
    case 'permits.acquired':
      return takenCaption(story, event);
    case 'permits.refused':
      if (event.holder === undefined || event.asleep) return null;
      return { is: 'permits-refused', who: who(event.holder), permits: event.permits, free: event.available ?? 0 };
    case 'waiter.subscribed':
      return event.holder === undefined ? null : { is: 'permits-asleep', who: who(event.holder) };
    case 'permits.released': {
      const { holder, permits, available: free, total } = event;
      if (holder === undefined || free === undefined) return null;
      const isAwaited = before.lock?.waiters.some(({ isAsleep }) => isAsleep) === true;
      return {
        is: free === total && !isAwaited ? 'permits-all-free' : 'permits-given',
        who: who(holder),
        permits,
        free,
      };
    }
    case 'permits.expired': {
      const permit = before.lock?.holders.find(({ id }) => event.permitIds?.includes(id));
      const { since, expiresAt } = permit ?? {};
      if (!permit || since == null || expiresAt == null) return null;
      return { is: 'permit-expired', who: who(permit.id), ms: millisBetween(since, expiresAt) };
    }
    case 'unlock.refused': {
      const end = endOf(story, event.holder);
      if (event.mode !== 'permit' || end === undefined) return undefined;
      return { is: 'permit-late', who: who(event.holder), ms: millisBetween(end, moment.at) };
    }
    default:
      return undefined;
  }
};

function takenCaption(
  { reported, bySeq, who: letterOf }: CaptionStory,
  event: Extract<LockEvent, { type: 'permits.acquired' }>,
): KindCaption | null {
  const { holder, permits = 1, available: free = 0, expiresAt, permitIds, wokenBy } = event;
  if (holder === undefined) return null;
  const who = letterOf(holder);
  if (wokenBy === 'message') {
    const message = (event.because ?? []).map((seq) => bySeq.get(seq)).find((cause) => cause !== undefined);
    return { is: 'permits-taken-woken', who, permits, ms: message ? millisBetween(message.at, event.at) : 0 };
  }
  if (wokenBy === 'own-timer') return { is: 'permit-taken-back', who };
  if (expiresAt !== undefined)
    return { is: 'permit-until', who, free, ms: millisBetween(reported.moment.at, expiresAt) };
  return permitIds ? { is: 'permit-for-good', who, free } : { is: 'permits-taken', who, permits, free };
}

/** When a permit was to expire, by the event that acquired it. */
function endOf({ bySeq }: CaptionStory, id: string) {
  for (const event of bySeq.values()) {
    if (event.type === 'permits.acquired' && event.permitIds?.includes(id)) return event.expiresAt;
  }
  return undefined;
}
