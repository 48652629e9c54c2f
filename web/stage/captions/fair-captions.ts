import { millisBetween } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { pollsOf } from '../script/kind-memory.ts';
import type { CaptionsOfKind } from './caption-story.ts';
import { queueOf } from './sides.ts';

/** Captions of a fair lock: places in the queue, which waiter a release wakes, and what a dead head causes. */
export const fairCaption: CaptionsOfKind = ({ reported: { moment, before }, who }) => {
  const queue = queueOf(before.lock);
  const [head] = queue;
  if (moment.kind === 'fault') {
    const dead = queue.find(({ id }) => moment.fault.name === 'killed' && clientOf(id) === moment.fault.uuid);
    return dead && { is: 'died-in-queue', who: who(dead.id), place: dead.position ?? 1 };
  }
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  switch (event.type) {
    case 'lock.refused': {
      const asker = who(event.holder);
      if (event.reason === 'not-head' && head) return { is: 'not-head', who: asker, head: who(head.id) };
      if (event.asleep) return event.wokenBy === undefined ? { is: 'asleep-in-queue', who: asker } : null;
      return null; // the next event may be its place in the queue
    }
    case 'waiter.queued':
      return { is: 'queued', who: who(event.holder), place: event.position };
    case 'lock.released': {
      if (!head) return undefined;
      const isDead = before.clients.get(clientOf(head.id)) === 'dead';
      return { is: isDead ? 'released-to-dead' : 'released-to-head', who: who(event.holder), head: who(head.id) };
    }
    case 'waiter.dequeued': {
      if (event.reason !== 'evicted') return event.reason === 'presumed-gone' ? null : undefined;
      const ms = before.freedAt === null ? 0 : millisBetween(before.freedAt, moment.at);
      return { is: 'evicted', who: who(event.holder), ms };
    }
    case 'lock.acquired': {
      const times = pollsOf(before, event.holder);
      return times === null ? undefined : { is: 'head-at-last', who: who(event.holder), times };
    }
    default:
      return undefined;
  }
};
