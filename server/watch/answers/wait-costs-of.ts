import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockSpans } from '../../../shared/spans/blockers.ts';
import { WaitDivider } from '../../../shared/spans/divide-waits.ts';
import type { EvictedHead } from '../../../shared/spans/evicted-heads.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import { RangeStatistics } from '../../../shared/spans/range-statistics.ts';
import { WaitRanking } from '../../../shared/spans/rank-waits.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { readSpans, type SpansKept, type SpansRead } from '../history/read-spans.ts';
import type { Remembered } from '../history/remembered.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import { firstOfInterest } from './spans-of.ts';

export type WaitCosts = {
  /** The beginning of the counted range: later than requested if memory begins later, or if `isCut`. */
  readonly from: RedisTime;
  readonly to: RedisTime;
  /** There were too many holds and waits: the oldest are not counted. */
  readonly isCut: boolean;
  readonly ranking: WaitRanking;
  /** Figures about the whole range that is in memory; those about wake-ups begin at `from`. */
  readonly statistics: RangeStatistics;
  /** The locks of the ranking, by id. */
  readonly places: ReadonlyMap<string, SpansRead['of']>;
};

/** How many holds, waits and evicted queue heads are kept: the newest. */
const MOST_SPANS = 8000;

/** What all waits between two instants were spent on. */
export function* waitCostsOf(
  memory: Remembered,
  query: { from: RedisTime; to: RedisTime },
  most = MOST_SPANS,
): Sliced<WaitCosts> {
  const kept = new NewestByLock(Math.max(query.from, memory.oldestAt ?? query.from), query.to, most);
  yield* readSpans(memory, firstOfInterest(memory, query), query, kept);
  kept.cut();
  yield;
  const { from, isCut } = kept;
  const locks = [...kept.locks.values()];
  const places = new Map(locks.map(({ id, of }) => [id, of]));
  const divider = new WaitDivider(locks, from, query.to);
  yield* divider.prepare();
  const ranking = new WaitRanking(from);
  for (const lock of locks) {
    for (const micros of divider.wakeUps(lock)) kept.statistics.wakeUps.add(micros);
    for (const part of inParts(lock.waits)) {
      for (const wait of part) {
        ranking.add(lock, wait, divider.divide(lock, wait));
        yield;
      }
    }
  }
  return { from: redisTime(from), to: query.to, isCut, ranking, statistics: kept.statistics, places };
}

/** `nextFrom`: when the first hold after the range begins, among the holds read so far. */
type Kept = LockSpans & {
  of: SpansRead['of'];
  holds: Hold[];
  waits: Wait[];
  heads: EvictedHead[];
  nextFrom: number;
};

/** Keeps the holds and waits of every lock that is waited for. If there are too many, the range begins later. */
class NewestByLock implements SpansKept {
  isCut = false;
  from: number;
  readonly locks = new Map<string, Kept>();
  readonly #to: number;
  readonly #most: number;
  readonly statistics: RangeStatistics;
  #size = 0;

  /** `most`: how many holds, waits and evicted queue heads are kept. */
  constructor(from: number, to: number, most: number) {
    this.from = from;
    this.#to = to;
    this.#most = most;
    this.statistics = new RangeStatistics(from, to);
  }

  add({ of, kind, holds, waits, heads, isWaitedFor }: SpansRead): void {
    this.statistics.take(holds, waits);
    const id = lockIdOf(of);
    if (waits.length === 0 && !isWaitedFor && !this.locks.has(id)) return;
    const lock = this.locks.get(id) ?? {
      id,
      of,
      kind,
      holds: [],
      waits: [],
      heads: [],
      nextFrom: Number.POSITIVE_INFINITY,
    };
    const counted = {
      holds: this.#withNext(lock, holds),
      waits: waits.filter((wait) => wait.from < this.#to && (wait.to ?? this.#to) > this.from),
      heads: heads.filter((head) => head.from < this.#to),
    };
    this.locks.set(id, { ...lock, kind });
    lock.holds.push(...counted.holds);
    lock.waits.push(...counted.waits);
    lock.heads.push(...counted.heads);
    this.#size += counted.holds.length + counted.waits.length + counted.heads.length;
    if (this.#size > 2 * this.#most) this.cut();
  }

  /** The holds of the range, and the next hold, which shows why the lock was free at the end of the range. */
  #withNext(lock: Kept, holds: readonly Hold[]): Hold[] {
    return holds.filter(({ from }) => {
      if (from <= this.#to) return true;
      if (from > lock.nextFrom) return false;
      lock.nextFrom = from;
      return true;
    });
  }

  /** Drops the spans that ended first, and begins the range where the others are complete. */
  cut(): void {
    if (this.#size <= this.#most) return;
    const ends = new Float64Array(this.#size);
    let n = 0;
    for (const { holds, waits, heads } of this.locks.values()) {
      for (const spans of [holds, waits, heads]) for (const { to } of spans) ends[n++] = to ?? Number.POSITIVE_INFINITY;
    }
    const end = ends.sort().at(-this.#most - 1) ?? this.from;
    if (end > this.from) {
      this.isCut = true;
      this.from = Math.min(end, this.#to);
    }
    const isKept = ({ to }: { to: number | null }) => to === null || to > end;
    this.#size = 0;
    for (const [id, lock] of this.locks) {
      lock.holds = lock.holds.filter(isKept);
      lock.waits = lock.waits.filter(isKept);
      lock.heads = lock.heads.filter(isKept);
      const size = lock.holds.length + lock.waits.length + lock.heads.length;
      this.#size += size;
      if (size === 0) this.locks.delete(id);
    }
  }
}
