import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';

/** The newest event after `seq` and up to an instant that explains the lock's state, for example an acquisition. */
export function turningPoint(events: readonly LockEvent[], at: RedisTime, seq = 0): LockEvent | undefined {
  return events.findLast((event) => event.at <= at && event.seq > seq && TURNS.has(event.type));
}

const TURNS: ReadonlySet<LockEvent['type']> = new Set([
  'lock.acquired',
  'lock.released',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'lease.expired',
  'db.flushed',
  'lock.lost',
  'lock.moved',
  'lock.found',
  'drift.healed',
  'permits.set',
  'permits.acquired',
  'permits.released',
  'permits.expired',
  'latch.set',
  'latch.counted-down',
  'latch.opened',
  'latch.deleted',
]);

const MOST_CAUSES = 4;

/** An event, its first known cause in `because`, the cause of that, and so on: at most four events, newest first. */
export function causeChain(events: readonly LockEvent[], last: LockEvent): LockEvent[] {
  const bySeq = (seq: number) => {
    const event = events[firstFrom(events, seq, (other) => other.seq)];
    return event?.seq === seq ? event : undefined;
  };
  const chain = [last];
  for (let event: LockEvent | undefined = last; event && chain.length < MOST_CAUSES; ) {
    const next: LockEvent | undefined = (event.because ?? []).map(bySeq).find((cause) => cause);
    if (!next || chain.includes(next)) break;
    chain.push(next);
    event = next;
  }
  return chain;
}
