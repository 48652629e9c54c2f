import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';

/** How much memory all ranges may take: names may be long. */
const MOST_BYTES = 2 * 1024 * 1024;
const RANGE_BYTES = 120;

/** A range in which one lock was unknown: after the event `afterSeq`, and before the event `untilSeq`. */
export type DroppedRange = {
  readonly id: string;
  readonly afterSeq: number;
  readonly at: RedisTime;
  /** The next event of the lock; absent: there was none yet. */
  untilSeq?: number;
};

/** When single locks were dropped from memory, and when they were known again. The oldest ranges are dropped first. */
export class DroppedLocks {
  #all: DroppedRange[] = [];
  readonly #open = new Map<string, DroppedRange>();
  #bytes = 0;

  drop(ids: readonly string[], afterSeq: number, at: RedisTime): void {
    for (const id of ids) {
      if (this.#open.has(id)) continue;
      const range = { id, afterSeq, at };
      this.#all.push(range);
      this.#open.set(id, range);
      this.#bytes += bytesOf(range);
    }
    if (this.#bytes > MOST_BYTES) this.#shorten();
  }

  get areAllKnown(): boolean {
    return this.#open.size === 0;
  }

  /** A lock has an event, so it is known again. */
  noteKnown(id: string, seq: number): void {
    const range = this.#open.get(id);
    if (range) range.untilSeq = seq;
    this.#open.delete(id);
  }

  all(): readonly DroppedRange[] {
    return this.#all;
  }

  /** Forgets the ranges that ended before the oldest event in memory. */
  dropBefore(oldestSeq: number): void {
    this.#all = this.#all.filter(({ untilSeq = oldestSeq }) => untilSeq >= oldestSeq);
    this.#bytes = this.#all.reduce((bytes, range) => bytes + bytesOf(range), 0);
  }

  #shorten(): void {
    let count = 0;
    for (; this.#bytes > MOST_BYTES / 2; count++) {
      const range = this.#all[count];
      if (!range) break;
      this.#bytes -= bytesOf(range);
      if (range.untilSeq === undefined) this.#open.delete(range.id);
    }
    this.#all = this.#all.slice(count);
  }
}

/** The locks that were dropped before an instant and still unknown then, grouped by drop. */
export function unknownAt(
  all: readonly DroppedRange[],
  { seq, at, filter }: { seq: number; at: RedisTime; filter: LockFilter },
): Forgotten[] {
  const drops = new Map<string, Forgotten & { ids: string[] }>();
  for (const { id, afterSeq, at: droppedAt, untilSeq } of all) {
    const isBefore = afterSeq < seq || (afterSeq === seq && droppedAt <= at);
    if (!isBefore || (untilSeq !== undefined && untilSeq <= seq) || !isInFilter(id, filter)) continue;
    const drop = drops.get(`${afterSeq} ${droppedAt}`);
    if (drop) drop.ids.push(id);
    else drops.set(`${afterSeq} ${droppedAt}`, { afterSeq, at: droppedAt, ids: [id] });
  }
  return [...drops.values()];
}

function isInFilter(id: string, { source, db, lock }: LockFilter): boolean {
  const [ownSource = '', ownDb = ''] = id.split('/', 2);
  if ((source ?? ownSource) !== ownSource || String(db ?? ownDb) !== ownDb) return false;
  return lock === undefined || lock === id.slice(ownSource.length + ownDb.length + 2);
}

function bytesOf({ id }: DroppedRange): number {
  return RANGE_BYTES + 2 * id.length;
}
