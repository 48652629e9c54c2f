import type { RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import type { BlindSpot } from '../blind-spots.ts';
import { idOf, type LockState } from '../lock-state.ts';
import { concerns, isWanted, type LockFilter } from './lock-filter.ts';
import { type Forgotten, PastWorld } from './past-world.ts';

/*
 * The state at a past instant: the nearest checkpoint before it, and the events since.
 *
 *   ◆ block block block ◆ block block ┆ block ◆ block       ◆ checkpoint
 *                                     T
 *
 * The server keeps blocks and checkpoints of all locks, compressed (`server/watch/history`). The page has one lock at a
 * time, as objects (`lock-replay.ts`). Both replay them here, so they show the same state at the same instant.
 */

/** Events in order of `seq`. */
export type ReplayBlock = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The times of the block's oldest and newest event. */
  readonly oldestAt: RedisTime;
  readonly newestAt: RedisTime;
  /** Whether the block has events about a whole source. */
  readonly hasOfSource: boolean;
  /** False if the block certainly has no event of a lock with this name. */
  mayHaveLock(name: string): boolean;
  events(): readonly LockEvent[];
};

/** A known state after the event `afterSeq`. */
export type ReplayCheckpoint = {
  readonly afterSeq: number;
  readonly blind: readonly BlindSpot[];
  /**
   * The locks that were not free (`isFree`), in parts; in a checkpoint of a single lock this lock, free or not. With
   * `name`, locks with other names may be left out.
   */
  busy(name?: string): Iterable<readonly LockState[]>;
  /** The locks that were free and changed before the next checkpoint. */
  woken(name?: string): Iterable<readonly LockState[]>;
};

/** A range of the stream that can be replayed, up to the event before `nextSeq`. */
export type Replayable = {
  readonly blocks: readonly ReplayBlock[];
  /** The first checkpoint is the state before the oldest event. */
  readonly checkpoints: readonly ReplayCheckpoint[];
  /** Locks that were forgotten, in the order of `afterSeq`. */
  readonly forgotten: readonly Forgotten<Iterable<string>>[];
  readonly nextSeq: number;
};

/** Work that yields after each short piece. */
type InSteps<T> = Generator<void, T, void>;

/** The `seq` of the last event before `at`: the one before the first event at or after `at`, otherwise the newest. */
export function seqBefore({ blocks, nextSeq }: Pick<Replayable, 'blocks' | 'nextSeq'>, at: RedisTime): number {
  const block = blocks.find(({ newestAt }) => newestAt >= at);
  const first = block?.events().find((event) => event.at >= at);
  return (first && first.seq < nextSeq ? first.seq : nextSeq) - 1;
}

/**
 * The locks after the event with this `seq`, built from the checkpoint before it and the events since. `at` decides
 * which locks were forgotten before the next event.
 */
export function* worldAfter(
  memory: Replayable,
  seq: number,
  at: RedisTime,
  filter: LockFilter = {},
): InSteps<PastWorld> {
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
  // a mark at the place of a checkpoint may be newer than it; forgetting a lock twice changes nothing
  const marks = forgotten.filter(
    ({ afterSeq, at: then }) => afterSeq >= first && (afterSeq < seq || (afterSeq === seq && then <= at)),
  );
  let next = 0;
  const forgetBefore = (before: number) => {
    for (let mark = marks[next]; mark && mark.afterSeq < before; mark = marks[++next]) world.forget(mark);
  };
  for (const block of blocks) {
    if (block.firstSeq > seq) break;
    if (block.lastSeq <= first || !mayConcern(block, filter)) continue;
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

/**
 * The locks after the event `seq`, the last one before an instant. An event that was inferred later counts if its time
 * is not after that instant.
 */
export function* worldAt(memory: Replayable, seq: number, at: RedisTime, filter: LockFilter = {}): InSteps<PastWorld> {
  const world = yield* worldAfter(memory, seq, at, filter);
  for (const block of memory.blocks) {
    if (block.lastSeq <= seq || block.oldestAt > at || !mayConcern(block, filter)) continue;
    for (const event of block.events()) {
      if (event.seq > seq && event.seq < memory.nextSeq && event.at <= at && concerns(event, filter)) world.take(event);
    }
    yield;
  }
  return world;
}

/**
 * Adds the locks that were free after the event `seq` and changed later, in one of the blocks up to the event `last`.
 * Stops early once it has all locks in `missing`.
 */
export function* addWoken(
  world: PastWorld,
  { checkpoints }: Replayable,
  { seq, last, filter, missing }: { seq: number; last: number; filter: LockFilter; missing?: Set<string> },
): InSteps<void> {
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

/** False if the block certainly has no event about a lock with this name, or about a whole source. */
export function mayConcern(block: ReplayBlock, { lock }: LockFilter): boolean {
  return lock === undefined || block.hasOfSource || block.mayHaveLock(lock);
}

/** Does all the work at once and returns its result. */
export function atOnce<T>(work: InSteps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
