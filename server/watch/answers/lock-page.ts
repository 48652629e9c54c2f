import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { byAttention, byText } from '../../../shared/insights/attention.ts';
import { idOf, isFree, type LockState } from '../../../shared/state/lock-state.ts';
import { isWanted, type LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import { addWoken, seqBefore, worldAt } from '../../../shared/state/replay/replay.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, type PresenceOf } from '../../../shared/wire/locks/lock-view.ts';
import { unwatched } from '../history/memory.ts';
import type { Remembered } from '../history/remembered.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import { sortedInSteps } from '../slices/sorted.ts';
import type { LockPage, LockPageQuery } from '../terms/queries.ts';

/** Locks to make a page of, and how each is shown. */
export type PageOfLocks = {
  readonly busy: Iterable<LockState>;
  readonly free: Iterable<LockState>;
  viewOf(lock: LockState): Lock;
};

/** One page of the wanted locks, those that need attention first. */
export function* lockPage({ busy, free, viewOf }: PageOfLocks, query: LockPageQuery): Sliced<LockPage> {
  const { from, limit, isWanted } = query;
  const urgent: Lock[] = [];
  const others: LockState[] = [];
  for (const part of inParts([...busy])) {
    for (const lock of part) {
      const view = viewOf(lock);
      if (!isWanted(view)) continue;
      if (view.held || view.waiters.length > 0) urgent.push(view);
      else others.push(lock);
    }
    yield;
  }
  for (const part of inParts([...free])) {
    for (const lock of part) {
      const { source, db, name, kind } = lock;
      if (isWanted({ source, db, name, kind, held: false })) others.push(lock);
    }
    yield;
  }
  const first = yield* sortedInSteps(urgent, byAttention);
  const rest = yield* sortedInSteps(others, byName);
  const page = first.slice(from, from + limit);
  const start = Math.max(0, from - first.length);
  page.push(...rest.slice(start, start + limit - page.length).map(viewOf));
  return { locks: page, total: first.length + rest.length };
}

/** A question about the past. `present`: the locks as they are now, since some have not changed. */
type PastQuery = {
  readonly present: Iterable<LockState>;
  readonly presenceOf: PresenceOf;
  readonly filter?: LockFilter;
};

/** The locks of a past instant. */
export function* pastLocks(
  memory: Remembered,
  at: RedisTime,
  { present, presenceOf, filter = {} }: PastQuery,
): Sliced<PageOfLocks & { readonly seq: number }> {
  const seq = seqBefore(memory, redisTime(at + 1)); // `at` itself included
  const world = yield* worldAt(memory, seq, at, filter);
  const missing = new Set<string>();
  for (const part of inParts(present)) {
    for (const lock of part) {
      if (!isWanted(lock, filter)) continue;
      if (lock.changedSeq <= seq) world.add(lock);
      else if (!world.has(idOf(lock))) missing.add(idOf(lock));
    }
    yield;
  }
  yield* addWoken(world, memory, { seq, last: memory.nextSeq, filter, missing });
  const known = [...world.locks(), ...world.unwatched()];
  return {
    seq,
    busy: known.filter((lock) => !isFree(lock)),
    free: known.filter(isFree),
    viewOf: (lock) => ({ ...lockView(lock, at, presenceOf), ...unwatched(world.blind, lock) }),
  };
}

export function byName(a: LockPlace, b: LockPlace): number {
  return byText(a.name, b.name) || byText(a.source, b.source) || a.db - b.db;
}

type LockPlace = { readonly name: string; readonly source: string; readonly db: number };
