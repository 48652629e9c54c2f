import type { RedisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { PastWorld } from '../../../shared/state/replay.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { EventBlock } from './event-block.ts';
import { isAt } from './history-search.ts';
import type { LockFilter } from './queries.ts';
import type { Remembered } from './remembered.ts';

/** The `seq` of the last event before `at`: the one before the first event at or after `at`, else the newest. */
export function seqBefore({ blocks, nextSeq }: Remembered, at: RedisTime): number {
  const block = blocks.find(({ newestAt }) => newestAt >= at);
  const first = block?.events().find((event) => event.at >= at);
  return (first && first.seq < nextSeq ? first.seq : nextSeq) - 1;
}

/**
 * The locks after the event with this `seq`, built from the checkpoint before it and the events since. `at` decides which
 * locks were forgotten before the next event.
 */
export function* worldAfter(
  memory: Remembered,
  seq: number,
  at: RedisTime,
  filter: LockFilter = {},
): Sliced<PastWorld> {
  const { blocks, checkpoints, forgotten } = memory;
  const checkpoint = checkpoints.findLast(({ afterSeq }) => afterSeq <= seq);
  const first = checkpoint?.afterSeq ?? 0;
  const world = new PastWorld(checkpoint?.blind);
  for (const part of [checkpoint?.busy(filter.lock), checkpoint?.woken(filter.lock)]) {
    for (const locks of part ?? []) {
      for (const lock of locks) if (isWanted(lock, filter)) world.add(lock);
      yield;
    }
  }
  const marks = forgotten.filter(
    ({ afterSeq, at: then }) => afterSeq > first && (afterSeq < seq || (afterSeq === seq && then <= at)),
  );
  let next = 0;
  const forgetBefore = (before: number) => {
    for (let mark = marks[next]; mark && mark.afterSeq < before; mark = marks[++next]) world.forget(mark);
  };
  for (const block of blocks) {
    if (block.firstSeq > seq) break;
    if (block.firstSeq + block.count - 1 <= first || !mayConcern(block, filter)) continue;
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

/** The locks at an instant. An event that was inferred later counts if its time is not after that instant. */
export function* worldAt(
  memory: Remembered,
  at: RedisTime,
  filter: LockFilter = {},
): Sliced<{ world: PastWorld; seq: number }> {
  const seq = seqBefore(memory, (at + 1) as RedisTime); // a whole µs later
  const world = yield* worldAfter(memory, seq, at, filter);
  for (const block of memory.blocks) {
    if (block.firstSeq + block.count - 1 <= seq || block.oldestAt > at || !mayConcern(block, filter)) continue;
    for (const event of block.events()) {
      if (event.seq > seq && event.seq < memory.nextSeq && event.at <= at && concerns(event, filter)) world.take(event);
    }
    yield;
  }
  return { world, seq };
}

/**
 * Adds the locks that were free after the event `seq` and changed later, in one of the blocks up to the event `last`.
 * Stops early once it has all locks in `missing`.
 */
export function* addWoken(
  world: PastWorld,
  { checkpoints }: Remembered,
  { seq, last, filter, missing }: { seq: number; last: number; filter: LockFilter; missing?: Set<string> },
): Sliced<void> {
  for (const checkpoint of checkpoints) {
    if (missing?.size === 0) return;
    if (checkpoint.afterSeq <= seq || checkpoint.afterSeq >= last) continue;
    for (const locks of checkpoint.woken(filter.lock)) {
      for (const lock of locks) {
        missing?.delete(idOf(lock));
        if (lock.changedSeq <= seq && isWanted(lock, filter)) world.add(lock);
      }
      yield;
    }
  }
}

export function isWanted(lock: LockState, { lock: name, source, db }: LockFilter): boolean {
  if (name !== undefined && lock.name !== name) return false;
  return (source === undefined || lock.source === source) && (db === undefined || lock.db === db);
}

/** Whether an event is about a lock that matches the filter, or about its whole source. */
export function concerns(event: LockEvent, filter: LockFilter): boolean {
  if (isOfSource(event)) return filter.source === undefined || filter.source === event.source;
  return isAt(event, filter);
}

/** False if the block certainly has no event about such a lock or its source. */
export function mayConcern(block: EventBlock, { lock }: LockFilter): boolean {
  return lock === undefined || block.hasOfSource || block.mayHaveLock(lock);
}

export function idOf(lock: LockState): string {
  return lockIdOf({ ...lock, lock: lock.name });
}
