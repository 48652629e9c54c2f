import { millisBetween } from '../../../shared/base/time.ts';
import { pollsOf } from '../script/kind-memory.ts';
import type { CaptionsOfKind } from './caption-story.ts';

/** Captions of a spin lock: waiters never sleep, and a release publishes no message. */
export const spinCaption: CaptionsOfKind = ({ reported: { moment, before }, who }) => {
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  switch (event.type) {
    case 'lock.refused':
      return event.attempt > 1 ? null : { is: 'spins', who: who(event.holder) };
    case 'lock.released': {
      const other = [...before.polls.keys()].find(
        (holder) => holder !== event.holder && pollsOf(before, holder) !== null,
      );
      const times = other === undefined ? null : pollsOf(before, other);
      if (other === undefined || times === null) return { is: 'released-silently', who: who(event.holder) };
      return { is: 'released-to-spinner', who: who(event.holder), other: who(other), times };
    }
    case 'lock.acquired': {
      if (!before.polls.has(event.holder) || before.freedAt === null) return undefined;
      return { is: 'found-free', who: who(event.holder), ms: millisBetween(before.freedAt, moment.at) };
    }
    default:
      return undefined;
  }
};
