import type { RedisTime } from '../../shared/base/time.ts';
import { isFree, type LockState, lockIdOf } from '../../shared/state/lock-state.ts';
import type { PastWorld } from '../../shared/state/replay.ts';
import { byAttention, byText } from '../../shared/wire/attention.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/lock-view.ts';
import type { Sliced } from './in-slices.ts';
import type { LockPage, LockPageQuery } from './observatory.ts';
import { sortedInSteps } from './sorted.ts';

/** Locks to make a page of, and how each is shown. */
export type PageOfLocks = {
  readonly busy: Iterable<LockState>;
  readonly free: Iterable<LockState>;
  viewOf(lock: LockState): Lock;
};

/** Locks between two yields. */
const STEP = 500;

/** A part of the locks that are wanted: in the order of attention. */
export function* lockPage({ busy, free, viewOf }: PageOfLocks, query: LockPageQuery): Sliced<LockPage> {
  const { from, limit, isWanted } = query;
  const urgent: Lock[] = [];
  const others: LockState[] = [];
  for (const [n, lock] of [...busy].entries()) {
    const view = viewOf(lock);
    if (isWanted(view)) {
      if (view.held || view.waiters.length > 0) urgent.push(view);
      else others.push(lock);
    }
    if (n % STEP === 0) yield;
  }
  for (const lock of free) if (isWanted({ ...lock, held: false })) others.push(lock);
  yield;
  const first = yield* sortedInSteps(urgent, byAttention);
  const rest = yield* sortedInSteps(others, byName);
  const page = first.slice(from, from + limit);
  const start = Math.max(0, from - first.length);
  page.push(...rest.slice(start, start + limit - page.length).map(viewOf));
  return { locks: page, total: first.length + rest.length };
}

/** The locks of a past instant. `unchanged`: locks of the present that have not changed since. */
export function pastLocks(world: PastWorld, at: RedisTime, unchanged: readonly LockState[]): PageOfLocks {
  const known = [...world.locks(), ...world.unwatched()];
  const ids = new Set(known.map(idOf));
  const all = [...known, ...unchanged.filter((lock) => !ids.has(idOf(lock)))];
  return {
    busy: all.filter((lock) => !isFree(lock)),
    free: all.filter(isFree),
    viewOf: (lock) => pastView(world, lock, at),
  };
}

/** A lock as it was at a past instant; marked if its source was not watched then. */
export function pastView(world: PastWorld, lock: LockState, at: RedisTime): Lock {
  const unwatchedSince = world.blindSince(lock.source);
  return { ...lockView(lock, at, UNKNOWN_PRESENCE), ...(unwatchedSince === undefined ? {} : { unwatchedSince }) };
}

export function byName(a: { name: string }, b: { name: string }): number {
  return byText(a.name, b.name);
}

function idOf(lock: LockState): string {
  return lockIdOf({ ...lock, lock: lock.name });
}
