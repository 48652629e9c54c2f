import { millisBetween } from '../../../shared/base/time.ts';
import type { CaptionsOfKind } from './caption-story.ts';

/** Captions of a latch: its count, and the waiters that continue when it opens. */
export const latchCaption: CaptionsOfKind = ({ reported: { moment, before }, who }) => {
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  switch (event.type) {
    case 'latch.set':
      return event.holder === undefined ? null : { is: 'latch-set', who: who(event.holder), count: event.count };
    case 'waiter.subscribed':
      return event.holder === undefined ? null : { is: 'latch-awaited', who: who(event.holder) };
    case 'latch.counted-down':
      if (event.holder === undefined || event.count === undefined) return null;
      if (event.wasOpen) return { is: 'latch-open-already', who: who(event.holder) };
      return { is: 'latch-counted', who: who(event.holder), count: event.count };
    case 'latch.opened':
      return { is: 'latch-opened', waiters: before.lock?.waiters.length ?? 0 };
    case 'waiter.unsubscribed':
      if (event.holder === undefined || before.freedAt === null) return null;
      return { is: 'latch-passed', who: who(event.holder), ms: millisBetween(before.freedAt, moment.at) };
    default:
      return undefined;
  }
};
