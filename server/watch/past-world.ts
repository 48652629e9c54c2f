import type { RedisTime } from '../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { PastWorld } from '../../shared/state/replay.ts';
import type { EventBlock } from './event-block.ts';
import { isAt } from './history-search.ts';
import type { Sliced } from './in-slices.ts';
import type { Remembered } from './lock-detail.ts';
import type { EventQuery } from './observatory.ts';

/** Which locks are asked for; what is left out fits any. */
export type LockFilter = Pick<EventQuery, 'lock' | 'source' | 'db'>;

/** The `seq` of the event before the first one that is at `at` or later, or of the newest event. */
export function seqBefore({ blocks, nextSeq }: Remembered, at: RedisTime): number {
  const block = blocks.find(({ newestAt }) => newestAt >= at);
  const first = block?.events().find((event) => event.at >= at);
  return (first && first.seq < nextSeq ? first.seq : nextSeq) - 1;
}

/** The locks after the event with this `seq`; `at` decides what was forgotten before the next one. */
export function* worldAfter(
  memory: Remembered,
  seq: number,
  at: RedisTime,
  filter: LockFilter = {},
): Sliced<PastWorld> {
  const { blocks, forgotten } = memory;
  const world = new PastWorld();
  const marks = forgotten.filter((mark) => mark.afterSeq < seq || (mark.afterSeq === seq && mark.at <= at));
  let next = 0;
  const forgetBefore = (before: number) => {
    for (let mark = marks[next]; mark && mark.afterSeq < before; mark = marks[++next]) world.forget(mark);
  };
  for (const block of blocks) {
    if (block.firstSeq > seq) break;
    if (!mayConcern(block, filter)) continue;
    for (const event of block.events()) {
      if (event.seq > seq) break;
      forgetBefore(event.seq);
      if (concerns(event, filter)) world.take(event);
    }
    yield;
  }
  forgetBefore(Number.POSITIVE_INFINITY);
  return world;
}

/** The locks as of an instant. An event that was inferred later counts if it is dated until then. */
export function* worldAt(memory: Remembered, at: RedisTime, filter: LockFilter = {}): Sliced<PastWorld> {
  const seq = seqBefore(memory, (at + 1) as RedisTime); // a whole µs later
  const world = yield* worldAfter(memory, seq, at, filter);
  for (const block of memory.blocks) {
    if (block.firstSeq + block.count - 1 <= seq || block.oldestAt > at || !mayConcern(block, filter)) continue;
    for (const event of block.events()) {
      if (event.seq > seq && event.seq < memory.nextSeq && event.at <= at && concerns(event, filter)) world.take(event);
    }
    yield;
  }
  return world;
}

/** Whether an event is about a lock that is asked for, or about its whole source. */
export function concerns(event: LockEvent, filter: LockFilter): boolean {
  if (isOfSource(event)) return filter.source === undefined || filter.source === event.source;
  return isAt(event, filter);
}

/** False if the block certainly has no event that concerns such a lock. */
export function mayConcern(block: EventBlock, { lock }: LockFilter): boolean {
  return (
    lock === undefined ||
    block.mayHaveLock(lock) ||
    block.hasType('blind-spot.began') ||
    block.hasType('blind-spot.ended') ||
    block.hasType('failover')
  );
}
