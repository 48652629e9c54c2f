import { isOfLock, type LockEvent } from '../../../shared/events/event.ts';
import type { LockKind } from '../../../shared/events/types/lock-kind.ts';
import { type EvictedHead, EvictedHeadReader } from '../../../shared/spans/evicted-heads.ts';
import { type Hold, HoldReader } from '../../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { WaitReader } from '../../../shared/spans/waits-from-events.ts';
import { idOf, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { isAt, isWanted } from '../../../shared/state/replay/lock-filter.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import type { SpanQuery } from '../terms/queries.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Remembered } from './remembered.ts';

/** How many locks are read at the same time. */
const MOST_READERS = 50_000;
const DRAIN_AT = 32;

/** Holds and waits of one lock, and the heads of its queue that were evicted. */
export type SpansRead = {
  readonly of: { readonly source: string; readonly db: number; readonly lock: string };
  readonly kind: LockKind;
  readonly holds: readonly Hold[];
  readonly waits: readonly Wait[];
  readonly heads: readonly EvictedHead[];
  /** A thread still waits for it. Its wait is among `waits` once all events are read. */
  readonly isWaitedFor: boolean;
};

/** Takes the spans that were read. `isCut`: some are missing. */
export type SpansKept = { isCut: boolean; add(read: SpansRead): void };

/**
 * Reads events once, oldest first, from a checkpoint on. A span that is open at the checkpoint has its true beginning.
 * A lock takes memory only while it is held or waited for.
 */
export function* readSpans(
  memory: Remembered,
  checkpoint: Checkpoint | undefined,
  query: SpanQuery,
  kept: SpansKept,
): Sliced<void> {
  const { blocks, nextSeq } = memory;
  const readers = new Map<string, LockReader>();
  for (const locks of checkpoint?.busy(query.lock) ?? []) {
    for (const lock of locks) if (isWanted(lock, query)) readers.set(idOf(lock), new LockReader(lock, lock));
    yield;
  }
  for (const block of blocks) {
    if (checkpoint && block.lastSeq <= checkpoint.afterSeq) continue;
    if (query.to !== undefined && block.oldestAt > query.to && readers.size === 0) continue;
    if (query.lock !== undefined && !block.mayHaveLock(query.lock) && !block.hasType('blind-spot.began')) continue;
    for (const event of block.events()) {
      if (event.seq >= nextSeq) break;
      if (event.type === 'blind-spot.began') {
        for (const reader of readers.values()) if (reader.source === event.source) reader.take(event);
      }
      if (!isOfLock(event) || !isAt(event, query)) continue;
      const id = lockIdOf(event);
      const known = readers.get(id);
      // A lock that is first held or waited for after the range does not matter.
      if (!known && query.to !== undefined && event.at > query.to) continue;
      const reader = known ?? new LockReader({ ...event, name: event.lock });
      reader.take(event);
      if (reader.isIdle) {
        kept.add(reader.finish());
        readers.delete(id);
      } else {
        if (reader.taken % DRAIN_AT === 0) kept.add(reader.drain());
        readers.set(id, reader);
      }
      if (readers.size > MOST_READERS) dropFirstReader(readers, kept);
    }
    yield;
  }
  for (const part of inParts(readers.values())) {
    for (const reader of part) kept.add(reader.finish());
    yield;
  }
}

/** Drops the reader of the lock that was met first. If its hold or wait goes on, later events begin a new span. */
function dropFirstReader(readers: Map<string, LockReader>, kept: SpansKept): void {
  for (const [id, reader] of readers) {
    kept.add(reader.finish());
    kept.isCut = true;
    readers.delete(id);
    return;
  }
}

/** Reads the events of one lock. */
class LockReader {
  readonly source: string;
  taken = 0;
  readonly #of: SpansRead['of'];
  #kind: LockKind;
  readonly #holds: HoldReader;
  readonly #waits: WaitReader;
  readonly #heads: EvictedHeadReader;

  /** `base`: the lock before its first event. */
  constructor({ source, db, name, kind }: Pick<LockState, 'source' | 'db' | 'name' | 'kind'>, base?: LockState) {
    this.source = source;
    this.#of = { source, db, lock: name };
    this.#kind = kind;
    this.#holds = new HoldReader(base);
    this.#waits = new WaitReader(base);
    this.#heads = new EvictedHeadReader(base);
  }

  get isIdle(): boolean {
    return this.#holds.isIdle && this.#waits.isIdle;
  }

  take(event: LockEvent): void {
    this.taken++;
    if (isOfLock(event)) this.#kind = event.kind;
    this.#holds.take(event);
    this.#waits.take(event);
    this.#heads.take(event);
  }

  drain(): SpansRead {
    return this.#read(this.#holds.drain(), this.#waits.drain());
  }

  finish(): SpansRead {
    return this.#read(this.#holds.holds, this.#waits.finish());
  }

  #read(holds: readonly Hold[], waits: readonly Wait[]): SpansRead {
    return {
      of: this.#of,
      kind: this.#kind,
      holds,
      waits,
      heads: this.#heads.heads.splice(0),
      isWaitedFor: !this.#waits.isIdle,
    };
  }
}
