import type { CaptionsOfKind } from './caption-story.ts';
import { sidesOf } from './sides.ts';

/** Captions of a read-write lock: readers that share, a single writer, and releases without a message. */
export const readWriteCaption: CaptionsOfKind = ({ reported: { moment, before, after }, who }) => {
  if (moment.kind !== 'event') return undefined;
  const { event } = moment;
  const { readers, writer } = sidesOf(before.lock);
  switch (event.type) {
    case 'lock.acquired': {
      if (event.wokenBy !== undefined || event.mode !== 'read') return undefined;
      if (writer === event.holder) return { is: 'reads-own', who: who(event.holder) };
      return readers > 0 ? { is: 'reads-too', who: who(event.holder), readers: readers + 1 } : undefined;
    }
    case 'lock.refused': {
      if (event.asleep || event.attempt > 1) return undefined;
      if (event.heldFor === 'read') return { is: 'writer-refused', who: who(event.holder), readers };
      return writer === undefined ? undefined : { is: 'reader-refused', who: who(event.holder), writer: who(writer) };
    }
    case 'lock.released': {
      if (event.isDowngrade) return { is: 'downgraded', who: who(event.holder) };
      const { readers: left } = sidesOf(after.lock);
      if (left > 0) return { is: 'reader-left', who: who(event.holder), left };
      const isAwaited = before.lock?.waiters.some(({ isAsleep }) => isAsleep) === true;
      if (!isAwaited) return undefined;
      return { is: event.mode === 'write' ? 'writer-left' : 'last-reader-left', who: who(event.holder) };
    }
    default:
      return undefined;
  }
};
